/** Prompts, resources and the Skills extension on Pawl's own frames: what of loaded skills a session may read. */
import { type JsonObject, type LoadedSkill, type SessionId, isJsonObject, own } from '@pawl/core';
import { errorText } from '../answer.js';
import { addressed } from '../child.js';
import type { Era } from '../era.js';
import type { RequestFrame } from '../frame.js';
import type { Gate, SkillReading } from '../gate.js';
import { type Implementation, serverInfoKey } from '../meta.js';
import { type WireError, internalError, invalidParams } from '../wire-error.js';
import {
  contentsView,
  entryView,
  folderView,
  promptMessages,
  promptSource,
  promptView,
  resourceView,
  resourcesOf,
} from './entry.js';

/** Name of the Skills extension among capabilities. */
const skillsExtension = 'io.modelcontextprotocol/skills';

/** Capabilities of a server with skills. */
export interface SkillCapabilities {
  readonly prompts: Record<string, never>;
  readonly resources: Record<string, never>;
  readonly extensions: Record<string, { directoryRead: boolean }>;
}

/** What a server with skills says that it can do. */
export const skillCapabilities: SkillCapabilities = Object.freeze({
  prompts: {},
  resources: {},
  extensions: { [skillsExtension]: { directoryRead: true } },
});

/** For whom a request is answered. */
export interface SkillScope {
  readonly session: SessionId;
  readonly era: Era;
}

/** Answers requests for skills. */
export interface SkillAnswers {
  /** Whether the session that the request is for has any: otherwise all of these methods are closed to it. */
  isOpen(frame: RequestFrame, session: SessionId): boolean;
  /** The text that answers the request. Never rejects. */
  answer(frame: RequestFrame, scope: SkillScope): Promise<string>;
}

/** A result, how long it may be kept, or an error. */
type Said =
  | { readonly result: JsonObject; readonly ttlMs?: number; readonly always?: boolean }
  | { readonly error: WireError };

/** Lists may be kept as long as those of tools. */
const listTtlMs = 5000;
/** Entries of one page, and skills of one: an entry of those names every file. */
const pageSize = 200;
const skillsPage = 20;

/** Answers over a gate. */
export function skillAnswers(gate: Gate, self: Implementation): SkillAnswers {
  const served = (frame: RequestFrame, session: SessionId): readonly LoadedSkill[] => {
    const within = addressed(gate, session, frame.params);
    return within === undefined ? [] : (gate.skills?.served(within) ?? []);
  };
  return {
    isOpen: (frame, session) => served(frame, session).length > 0,
    async answer(frame, { session, era }) {
      const said = await safely(() => saidTo({ gate, session, frame, skills: served(frame, session) }));
      return 'error' in said ? errorText(frame.id, said.error) : resultText(frame, era, said, self);
    },
  };
}

async function safely(say: () => Promise<Said>): Promise<Said> {
  try {
    return await say();
  } catch {
    return { error: { code: internalError, message: 'the gateway failed' } };
  }
}

function resultText(
  { id }: RequestFrame,
  era: Era,
  { result, ttlMs, always = false }: Extract<Said, { result: JsonObject }>,
  self: Implementation,
): string {
  const keep = ttlMs !== undefined && (era === 'modern' || always) ? { ttlMs, cacheScope: 'private' } : {};
  const more = era === 'modern' ? { resultType: 'complete', _meta: { [serverInfoKey]: { ...self } } } : {};
  return JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, ...keep, ...more } });
}

/** One request, and the skills that whoever asks is served. */
interface Asked {
  readonly gate: Gate;
  readonly session: SessionId;
  readonly frame: RequestFrame;
  readonly skills: readonly LoadedSkill[];
}

function saidTo(asked: Asked): Promise<Said> {
  const { method } = asked.frame;
  return Object.hasOwn(methods, method) ? (methods[method]?.(asked) ?? unknown(asked)) : unknown(asked);
}

async function unknown({ frame }: Asked): Promise<Said> {
  return { error: { code: invalidParams, message: `${frame.method} is not served here` } };
}

const methods: Readonly<Record<string, (asked: Asked) => Promise<Said>>> = {
  'prompts/list': async (asked) => paged(asked, 'prompts', asked.skills.map(promptView)),
  'prompts/get': getPrompt,
  'resources/list': async (asked) =>
    paged(asked, 'resources', asked.skills.flatMap(resourcesOf).map(resourceView)),
  'resources/templates/list': async (asked) => paged(asked, 'resourceTemplates', []),
  'resources/read': readResource,
  'resources/directory/read': readFolder,
  'skills/list': async (asked) =>
    paged(
      asked,
      'skills',
      asked.skills.map(entryView).filter((each) => each !== undefined),
      true,
    ),
  'skills/get': getEntry,
};

/** One page; a cursor is the number of what came before. */
function paged(asked: Asked, key: string, all: readonly JsonObject[], always = false): Said {
  const cursor = own(asked.frame.params, 'cursor') ?? '0';
  if (typeof cursor !== 'string' || !/^\d{1,9}$/u.test(cursor) || Number(cursor) > all.length)
    return malformed(asked, 'cursor is none that was given here; list from the begin');
  const next = Number(cursor) + (key === 'skills' ? skillsPage : pageSize);
  const more = next < all.length ? { nextCursor: String(next) } : {};
  return { result: { [key]: all.slice(Number(cursor), next), ...more }, ttlMs: listTtlMs, always };
}

async function getPrompt(asked: Asked): Promise<Said> {
  const { gate, session, frame, skills } = asked;
  const name = own(frame.params, 'name');
  const args = own(frame.params, 'arguments');
  const skill = skills.find(({ manifest }) => manifest.frontmatter.name === name);
  const source = skill && promptSource(skill);
  if (skill === undefined || source === undefined)
    return missing({ gate, session }, `no prompt is served by that name`);
  if (isJsonObject(args) && Object.keys(args).length > 0)
    return malformed(asked, 'the prompt takes no arguments');
  const reading: SkillReading = {
    session,
    skill,
    file: source.file,
    what: { prompt: skill.manifest.frontmatter.name },
  };
  const refused = await refusal(gate, reading);
  return refused ?? { result: promptMessages(skill) };
}

async function readResource({ gate, session, frame, skills }: Asked): Promise<Said> {
  const uri = own(frame.params, 'uri');
  const found = skills.flatMap(resourcesOf).find((each) => each.uri === uri);
  if (found === undefined) return missing({ gate, session }, 'no resource is served at that address', uri);
  const { skill, file } = found;
  const refused = await refusal(gate, { session, skill, file, what: { uri: found.uri } });
  return refused ?? { result: contentsView(found), ttlMs: 0 };
}

async function readFolder(asked: Asked): Promise<Said> {
  const uri = own(asked.frame.params, 'uri');
  const children =
    typeof uri === 'string' ? asked.skills.flatMap((skill) => folderView(skill, uri) ?? []) : [];
  if (children.length === 0) return missing(asked, 'no folder is served at that address', uri);
  return paged(asked, 'resources', children, true);
}

async function getEntry(asked: Asked): Promise<Said> {
  const uri = own(asked.frame.params, 'uri');
  const skill = asked.skills.map(entryView).find((each) => each !== undefined && own(each, 'uri') === uri);
  if (skill === undefined) return missing(asked, 'no skill is served at that address', uri);
  return { result: { skill }, ttlMs: listTtlMs, always: true };
}

function malformed({ gate, session }: Asked, message: string): Said {
  gate.rejected({ session, code: 'malformed_arguments', why: message });
  return { error: { code: invalidParams, message } };
}

/** What is not there and what is not for this session is one answer. */
function missing({ gate, session }: Pick<Asked, 'gate' | 'session'>, message: string, uri?: unknown): Said {
  gate.rejected({ session, code: 'no_such_cap', why: message });
  const data = typeof uri === 'string' ? { data: { uri } } : {};
  return { error: { code: invalidParams, message, ...data } };
}

async function refusal(gate: Gate, reading: SkillReading): Promise<Said | undefined> {
  const refused = await gate.skills?.read(reading);
  if (refused === undefined) return undefined;
  const { code, retryable, message } = refused;
  return { error: { code: internalError, message, data: { code, retryable } } };
}
