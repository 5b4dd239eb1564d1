/** The filesystem table against the tools that the real server lists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeWithShared } from '../../../../../test/shared.js';
import { type JsonObject, isJsonArray, isJsonObject, own, readJson } from '../../ground/index.js';
import { classedArguments } from '../table.js';
import { filesystem } from './filesystem.js';

function members(object: JsonObject, key: string): readonly string[] {
  const value = own(object, key);
  return isJsonObject(value) ? Object.keys(value) : [];
}

describeWithShared('the table of filesystem', 'data/mcp-tools', (folder) => {
  const [name = ''] = filesystem.packages;
  const listed = readJson(readFileSync(join(folder, `${name.replace('/', '__')}.json`), 'utf8'));
  const tools = isJsonObject(listed) ? own(listed, 'tools') : undefined;
  const real = (isJsonArray(tools) ? tools : []).filter(isJsonObject);

  test('[S002.table-drift] lists exactly the tools of the server, and classes exactly their arguments', () => {
    const inServer = real.map((tool) => {
      const schema = own(tool, 'inputSchema');
      return [own(tool, 'name'), isJsonObject(schema) ? [...members(schema, 'properties')].sort() : []];
    });
    const inTable = Object.entries(filesystem.tools).map(([tool, table]) => [
      tool,
      [...classedArguments(table)].sort(),
    ]);
    expect(inServer.length).toBeGreaterThan(10);
    expect(new Map(inTable as [string, string[]][])).toEqual(new Map(inServer as [string, string[]][]));
  });
});
