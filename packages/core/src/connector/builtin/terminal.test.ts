/** The terminal table: against the tools of examples/terminal, and what its calls are answered. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { classedBy, listedIn } from '../../../../../test/drift.js';
import { type Gate, type Tools, gate } from '../../../../../test/policies.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../../ground/index.js';
import { terminal } from './terminal.js';

const file = join(import.meta.dirname, '../../../../../examples/terminal/tools.mjs');
const { tools: listed } = (await import(pathToFileURL(file).href)) as { tools: Json };
const definitions = (isJsonArray(listed) ? listed : []).filter(isJsonObject);
function nameOf(tool: JsonObject): string {
  const name = own(tool, 'name');
  return typeof name === 'string' ? name : '';
}

const tools: Tools = {
  term: Object.fromEntries(definitions.map((tool) => [nameOf(tool), own(tool, 'inputSchema') ?? {}])),
};

test('[S002.table-drift] the table of terminal lists exactly the tools of the example, and classes exactly their arguments', () => {
  expect(classedBy(terminal)).toEqual(listedIn(listed));
  expect(definitions).toHaveLength(6);
});

test('[S002.table-drift] the backends of the table are those of the six schemas', () => {
  const values = terminal.fields['backends']?.vocabulary?.values ?? [];
  for (const tool of definitions) {
    const schema = own(tool, 'inputSchema');
    const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined;
    const backend = isJsonObject(properties) ? own(properties, 'backend') : undefined;
    const words = isJsonObject(backend) ? own(backend, 'enum') : undefined;
    const all = own(tool, 'name') === 'terminal_list_targets' ? [...values, 'all'] : values;
    expect(words).toEqual(all);
  }
});

function under(ceiling: string, narrow = ''): Gate {
  const instances = narrow === '' ? '' : `instances: { a/i: { narrow: { terminal: ${narrow} } } }\n`;
  return gate(
    `pawl: 1\nservers: { term: { command: x, connector: terminal } }\nagents: { a: { allow: [ { tools: ["term/*"] } ]${ceiling} } }\n${instances}`,
    tools,
  );
}

describe('[P.connector.terminal] an operator of one backend', () => {
  const tmux = under(', ceiling: { terminal: { backends: [tmux] } }');

  test('[S002.reads-gated] lists its own backend, which is filled in', () => {
    expect(tmux.call('term/terminal_list_targets')).toMatchObject({ args: { backend: 'tmux' } });
    expect(tmux.call('term/terminal_list_targets', { backend: 'all' })).toMatchObject({
      args: { backend: 'tmux' },
    });
    expect(tmux.call('term/terminal_list_targets', { backend: 'kitty' })).toMatchObject({
      code: 'out_of_scope',
      constraint: 'terminal.backends (tmux)',
    });
  });

  test('is refused a target of another backend by its prefix', () => {
    expect(tmux.permits('term/terminal_capture', { target: 'tmux:main' })).toBe(true);
    expect(tmux.call('term/terminal_capture', { target: 'main' }).args).toEqual({
      target: 'main',
      backend: 'tmux',
    });
    for (const target of ['iterm2:1:1:1', 'kitty:1']) {
      expect(tmux.call('term/terminal_send_text', { target, text: 'x' })).toMatchObject({
        code: 'out_of_scope',
      });
      expect(tmux.permits('term/terminal_send_text', { target, backend: 'tmux', text: 'x' })).toBe(false);
    }
  });

  test('several backends are each usable, and a prefix selects one', () => {
    const two = under(', ceiling: { terminal: { backends: [tmux, kitty] } }');
    expect(two.permits('term/terminal_capture', { target: 'tmux:main' })).toBe(true);
    expect(two.permits('term/terminal_capture', { target: 'main', backend: 'kitty' })).toBe(true);
    expect(two.permits('term/terminal_capture', { target: 'iterm2:1' })).toBe(false);
    expect(two.call('term/terminal_capture', { target: 'main' }).code).toBe('several_values');
  });

  test('[S002.same-object] without a ceiling the arguments stay as sent', () => {
    const args = { backend: 'all' };
    expect(under('').call('term/terminal_list_targets', args).args).toBe(args);
    const full = under(', ceiling: { terminal: { backends: [tmux, kitty, iterm2] } }');
    expect(full.call('term/terminal_list_targets', args).args).toBe(args);
  });
});

describe('[P.connector.terminal] an instance that is bound to one target', () => {
  const bound = under(', ceiling: { terminal: { targets: single } }', '{ targets: { single: "tmux:main" } }');
  const as = { instance: 'i' };
  const captures = (args: Record<string, string>): boolean =>
    bound.permits('term/terminal_capture', args, as);

  test('reaches it in its joined form, and beside its backend', () => {
    expect(captures({ target: 'tmux:main' })).toBe(true);
    expect(captures({ target: 'main', backend: 'tmux' })).toBe(true);
    expect(captures({ target: 'tmux:main', backend: 'tmux' })).toBe(true);
  });

  test('reaches no other', () => {
    expect(captures({ target: 'tmux:logs' })).toBe(false);
    expect(captures({ target: 'main', backend: 'kitty' })).toBe(false);
    expect(captures({ target: 'main' })).toBe(false);
  });

  test('is given it where it names none', () => {
    expect(bound.call('term/terminal_capture', {}, as)).toMatchObject({
      decision: 'permit',
      args: { target: 'tmux:main' },
    });
  });
});
