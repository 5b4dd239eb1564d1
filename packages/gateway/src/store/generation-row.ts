/** Generations as rows. */
import {
  type AcceptedTool,
  type GenerationCause,
  type GenerationSource,
  type Json,
  causeJson,
  mintId,
  sha256,
} from '@pawl/core';
import type { RowPut } from './backend.js';
import { readDeclaration } from './declarations.js';
import { Fields } from './fields.js';
import type { StoredGeneration } from './ports.js';

const kind = 'generation';

/** The row of a generation. */
export function generationRow({ number, hash, epochs, source, cause, createdAt }: StoredGeneration): RowPut {
  // Not canonical: nobody makes this text again, its own digest is chained, and a source is long.
  const text = JSON.stringify({
    number,
    hash,
    epochs: { ...epochs },
    source: sourceJson(source),
    ...(cause === undefined ? {} : { cause: causeJson(cause) }),
    ...(createdAt === undefined ? {} : { createdAt }),
  });
  return { kind, id: String(number), text };
}

/** Reads a generation's row. Throws `damaged`. */
export function readGeneration(text: string): StoredGeneration {
  const fields = new Fields(kind, text);
  const [source, cause] = [fields.json('source'), fields.json('cause')];
  const createdAt = fields.optionalNumber('createdAt');
  return {
    number: fields.number('number'),
    hash: mintId.digest(fields.text('hash')),
    epochs: fields.numbers('epochs'),
    source: source === undefined ? bareSource(fields.text('document')) : readSource(source),
    ...(cause === undefined ? {} : { cause: readCause(cause) }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

function sourceJson({ document, folder, ...source }: GenerationSource): Json {
  return {
    document,
    ...(folder === undefined ? {} : { folder }),
    facts: { ...source.facts },
    tools: Object.fromEntries(Object.entries(source.tools).map(([server, list]) => [server, [...list]])),
    ...(source.declared === undefined ? {} : { declared: source.declared.map((entry) => ({ ...entry })) }),
    protectedPaths: [...source.protectedPaths],
    connectors: Object.fromEntries(
      Object.entries(source.connectors).map(([server, connector]) => [server, connector && { ...connector }]),
    ),
    semantics: source.semantics,
    content: source.content,
  };
}

function readSource(json: Json): GenerationSource {
  const fields = new Fields(kind, json);
  const declared = fields.json('declared');
  return {
    document: fields.text('document'),
    folder: fields.optionalText('folder'),
    facts: fields.record('facts', (value) => value),
    tools: fields.record('tools', (value) => Fields.objects(kind, value)),
    ...(declared === undefined ? {} : { declared: Fields.objects(kind, declared).map(readDeclaration) }),
    protectedPaths: fields.texts('protectedPaths'),
    connectors: fields.record('connectors', readConnector),
    semantics: fields.number('semantics'),
    content: mintId.digest(fields.text('content')),
  };
}

function readConnector(json: Json): GenerationSource['connectors'][string] {
  if (json === null) return null;
  const fields = new Fields(kind, json);
  return { name: fields.text('name'), version: fields.number('version') };
}

/** Of a store that kept documents only: of no version of Pawl that there is, so that nothing compares with it. */
function bareSource(document: string): GenerationSource {
  const nothing = { facts: {}, tools: {}, protectedPaths: [], connectors: {} };
  return { document, folder: undefined, ...nothing, semantics: 0, content: sha256('') };
}

function readCause(json: Json): GenerationCause {
  const fields = new Fields(kind, json);
  const [to, thawed] = [fields.optionalNumber('to'), fields.optionalText('thawed')];
  const [declared, accepted] = [fields.json('declared'), fields.json('accepted')];
  return {
    trigger: fields.choice('trigger', ['start', 'watch', 'sighup', 'operator']),
    verdict: fields.choice('verdict', [
      'equal',
      'attenuation',
      'widening',
      'unknown',
      'first',
      'pawl',
      'thaw',
    ]),
    moved: fields.texts('moved').map((executor) => mintId.executor(executor)),
    ...(to === undefined ? {} : { to }),
    ...(thawed === undefined ? {} : { thawed }),
    ...(declared === undefined ? {} : { declared: readDeclaredBy(declared) }),
    ...(accepted === undefined ? {} : { accepted: Fields.objects(kind, accepted).map(readAccepted) }),
  };
}

function readAccepted(json: Json): AcceptedTool {
  const fields = new Fields(kind, json);
  const [tool, digest] = [fields.text('tool'), mintId.digest(fields.text('digest'))];
  return { server: fields.server('server'), tool, digest, firstUse: fields.json('firstUse') === true };
}

function readDeclaredBy(json: Json): NonNullable<GenerationCause['declared']> {
  const fields = new Fields(kind, json);
  return { of: mintId.executor(fields.text('of')), by: fields.text('by') };
}
