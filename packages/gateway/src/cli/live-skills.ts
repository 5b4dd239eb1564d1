/** The skills of a running daemon: what is loaded is mounted, what is masked is told, and the audit knows of both. */
import {
  type AuditRecord,
  type Current,
  type Entry,
  type ExecutorId,
  type JsonObject,
  type LoadedSkill,
  type OverReach,
  type PreparedSkill,
  type Registry,
  type ShelfChange,
  type SkillRefusal,
  type SkillTool,
  type ToolCall,
  type TurnPort,
  Skills,
  canonicalJson,
  isRefusal,
  parseToolName,
  sha256,
  skillServer,
  spawn,
  turnPort,
} from '@pawl/core';
import { readYaml } from '../config/index.js';

/** Runs a tool of a skill: the only way from a call to a skill's code. */
export interface SkillRunner {
  /** Makes ready what the tools of a skill need, before they are published; or says why one of them is no tool. */
  prepare(skill: PreparedSkill): Promise<SkillRefusal | void>;
  /** Whether there is what runs this tool of a prepared skill, confined; a tool without it is not mounted. */
  runs(tool: SkillTool, skill: PreparedSkill): boolean;
  /** What confines it. */
  confines?(tool: SkillTool): Entry['confinedBy'];
  /** Answers one call. What it rejects with is the tool's error. */
  run(tool: SkillTool, skill: LoadedSkill, call: SkillCall): Promise<unknown>;
  /** What was granted to the tools of a prepared skill and gives their programs nothing, in words for people. Default: nothing to tell. */
  findings?(skill: PreparedSkill): readonly string[];
  /** A skill is loaded no longer: what its tools held is closed once no call of theirs runs. */
  retire?(skill: LoadedSkill): void;
}

/** One call of a skill's tool. */
export interface SkillCall {
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  /** For powers: the turn of this call. */
  readonly turn: TurnPort;
}

/** Nothing runs: skills are verified, intersected and masked, and their tools are not mounted. */
export const noRunner: SkillRunner = Object.freeze({
  prepare: () => Promise.resolve(),
  runs: () => false,
  run: () => Promise.reject(new Error('nothing runs skills here')),
});

/** What loaded skills are kept with. */
export interface LiveSkillsParts {
  readonly current: Current;
  readonly registry: Registry;
  readonly clock: { wall(): number };
  readonly audit: { note(record: AuditRecord): void };
  readonly runner: SkillRunner;
}

/** The shelf of a daemon. */
export class LiveSkills {
  readonly shelf: Skills;
  readonly #parts: LiveSkillsParts;

  constructor(parts: LiveSkillsParts) {
    const { current, clock, runner } = parts;
    this.#parts = parts;
    this.shelf = new Skills({
      current,
      clock,
      readYaml,
      prepare: (skill) => runner.prepare(skill),
      overReached: (report) => this.#overReached(report),
      changed: (change) => this.#changed(change),
    });
  }

  /** Loads a skill; a refusal is recorded too. */
  async load(request: Parameters<Skills['load']>[0]): Promise<LoadedSkill | SkillRefusal> {
    const answer = await this.shelf.load(request);
    if (isRefusal(answer)) this.#note('skill_refused', refusalData(request.executor, answer));
    return answer;
  }

  /** The tools of a skill that nothing runs: they are not mounted. */
  absent(skill: PreparedSkill): readonly string[] {
    const { runner } = this.#parts;
    return skill.manifest.tools.filter((tool) => !runner.runs(tool, skill)).map(({ name }) => name);
  }

  /** What was granted to a skill and its programs do not get. */
  findings(skill: PreparedSkill): readonly string[] {
    return this.#parts.runner.findings?.(skill) ?? [];
  }

  /** Closes what loaded skills hold, once no call uses it; they stay loaded. */
  close(): void {
    for (const skill of this.shelf.list()) this.#parts.runner.retire?.(skill);
  }

  #changed(change: ShelfChange): void {
    this.#mount();
    const { skill } = change;
    if (change.kind === 'unloaded') this.#parts.runner.retire?.(skill);
    const { executor, manifest, verified, intersection } = skill;
    const about = { skill: manifest.frontmatter.name, executor, root: verified.root };
    if (change.kind === 'unloaded') {
      const why = change.why === undefined ? {} : { why: change.why.reason, message: change.why.message };
      this.#note('skill_unloaded', { ...about, ...why });
      return;
    }
    const { granted, masked } = intersection;
    const who = { key: verified.by.key, trusted: verified.by.trusted };
    this.#note(change.kind === 'loaded' ? 'skill_loaded' : 'skill_masked', {
      ...about,
      by: who,
      granted,
      masked,
    });
  }

  /** Every tool of every loaded skill, once, whoever it is loaded for. */
  #mount(): void {
    const { registry, runner } = this.#parts;
    const wanted = new Map(this.shelf.list().flatMap((skill) => entriesOf(skill, runner, this.shelf)));
    const mounted = [...registry.table().values()].filter(({ tool }) => tool.startsWith('skill-'));
    const gone = mounted.filter(({ tool, digest }) => wanted.get(tool)?.digest !== digest);
    registry.unmount(gone.map(({ tool }) => tool));
    registry.mount([...wanted.values()].filter(({ tool }) => !registry.table().has(tool)));
  }

  #overReached({ skill, executor, by, intersection, outcome }: OverReach): void {
    const { ungranted, masked } = intersection;
    const signed = {
      key: by.key,
      trusted: by.trusted,
      ...(by.subject === undefined ? {} : { subject: by.subject }),
    };
    this.#note('security', {
      what: 'skill_over_reach',
      skill,
      executor,
      by: signed,
      outcome,
      ungranted: ungranted.map(({ capability, why }) => ({ capability, why })),
      masked,
    });
  }

  #note(event: Extract<AuditRecord, { type: 'event' }>['event'], data: JsonObject): void {
    this.#parts.audit.note({ type: 'event', event, data });
  }
}

function refusalData(executor: ExecutorId, { code, reason, message, file }: SkillRefusal): JsonObject {
  return { executor, code, reason, message, ...(file === undefined ? {} : { file }) };
}

type Entries = readonly (readonly [string, Parameters<Registry['mount']>[0][number]])[];

function entriesOf(skill: LoadedSkill, runner: SkillRunner, shelf: Skills): Entries {
  const server = skillServer(skill.manifest.frontmatter.name);
  return skill.manifest.tools.flatMap((tool) => {
    const name = server && parseToolName(`${server}/${tool.name}`);
    const masked = skill.intersection.masked.includes(tool.name);
    if (name === undefined || (!masked && !runner.runs(tool, skill))) return [];
    const { description, inputSchema } = tool;
    const definition: JsonObject = { name: tool.name, description, inputSchema };
    const digest = sha256(canonicalJson({ definition, root: skill.verified.root }));
    const ref = spawn({
      parallel: Infinity,
      turn: (_method, message, context) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the dispatcher sends actors nothing else
        const { args, executor } = message as ToolCall;
        const found = shelf.find(executor, name);
        if (found === undefined || found.masked) throw new Error('the skill is no longer loaded');
        const { signal } = context;
        return runner.run(found.tool, found.skill, { args, signal, turn: turnPort(context) });
      },
    });
    const confinedBy = runner.confines?.(tool);
    const by = confinedBy === undefined ? {} : ({ confinement: 'object', confinedBy } as const);
    return [[name, { tool: name, ref, definition, digest, ...by }]];
  });
}
