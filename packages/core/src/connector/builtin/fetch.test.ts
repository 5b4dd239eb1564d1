/** The fetch table: against the tools that the real server lists, and what its calls are answered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Tools, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { type JsonObject, isJsonArray, isJsonObject, own, readJson } from '../../ground/index.js';
import { classedArguments } from '../table.js';
import { fetch } from './fetch.js';

const text = { type: 'string' };
const number = { type: 'number' };
const page = {
  type: 'object',
  properties: {
    url: text,
    headers: { type: 'object' },
    max_length: number,
    start_index: number,
    proxy: text,
  },
  required: ['url'],
};
const video = { ...page, properties: { ...page.properties, lang: text } };
const schemas: Readonly<Record<string, JsonObject>> = {
  fetch_html: page,
  fetch_markdown: page,
  fetch_txt: page,
  fetch_json: page,
  fetch_readable: page,
  fetch_youtube_transcript: video,
};

/** Carries authority that no field stands for. */
const unclassed = 'headers';

describeWithShared('the table of fetch', 'data/mcp-tools', (folder) => {
  const [name = ''] = fetch.packages;
  const listed = readJson(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const tools = isJsonObject(listed) ? own(listed, 'tools') : undefined;
  const real = (isJsonArray(tools) ? tools : []).filter(isJsonObject);
  const inServer = real.map((tool): readonly [string, readonly string[]] => {
    const schema = own(tool, 'inputSchema');
    const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined;
    const named = own(tool, 'name');
    return [
      typeof named === 'string' ? named : '',
      isJsonObject(properties) ? Object.keys(properties).sort() : [],
    ];
  });

  test('[S002.table-drift] lists exactly the tools of the server, and classes all their arguments but the headers', () => {
    const inTable = Object.entries(fetch.tools).map(
      ([tool, table]) => [tool, [...classedArguments(table), unclassed].sort()] as const,
    );
    expect(inServer.length).toBeGreaterThan(4);
    expect(new Map(inTable)).toEqual(new Map(inServer));
  });

  test('[S002.table-drift] the schemas of these tests have the properties of the real ones', () => {
    const here = Object.entries(schemas).map(
      ([tool, schema]) => [tool, Object.keys(own(schema, 'properties') as JsonObject).sort()] as const,
    );
    expect(new Map(here)).toEqual(new Map(inServer));
  });
});

describe('[P.connector.fetch] calls of the fetch server', () => {
  const tools: Tools = { web: schemas };
  const under = (agent: string): ReturnType<typeof gate> =>
    gate(`pawl: 1\nservers: { web: { command: x, connector: fetch } }\nagents:\n  a: { ${agent} }\n`, tools);
  const allowing = (where: string): ReturnType<typeof gate> =>
    under(`allow: [ { tools: ["web/*"], where: ${where} } ]`);

  test('connect to their url, seen whole and by its host', () => {
    const { accesses } = under('allow: [ { tools: [web/fetch_txt] } ]').call('web/fetch_txt', {
      url: 'HTTPS://X.example/a?b',
    });
    expect(accesses).toEqual([
      { tool: 'web/fetch_txt', verb: 'connect', url: 'https://x.example:443/a', host: 'x.example' },
    ]);
  });

  test('are bounded by url, by host, or by both', () => {
    const url = allowing('{ url: "https://x.example/docs/**" }');
    const host = allowing('{ host: ["**.x.example", x.example] }');
    const both = allowing('{ url: "https://**:*", host: "**.x.example" }');
    const given = (address: string): readonly boolean[] =>
      [url, host, both].map((each) =>
        each.permits('web/fetch_html', { url: address, max_length: 10, start_index: 2 }),
      );
    expect(given('https://x.example/docs/a?b#c')).toEqual([true, true, false]);
    expect(given('http://x.example/docs/a')).toEqual([false, true, false]);
    expect(given('https://a.x.example:8443/')).toEqual([false, true, true]);
    expect(given('https://ax.example/docs')).toEqual([false, false, false]);
    expect(given('https://x.example@m.example/docs/a')).toEqual([false, false, false]);
    expect(given('about:blank')).toEqual([false, false, false]);
  });

  test('keep the url as it was sent', () => {
    const url = 'https://X.example:443/docs/./a%7e?q=1#f';
    expect(allowing('{ url: "https://x.example/docs/**" }').call('web/fetch_html', { url }).args).toEqual({
      url,
    });
  });

  test('connect to their proxy too', () => {
    const policy = allowing('{ host: [x.example, proxy.example] }');
    const through = (proxy: string): boolean =>
      policy.permits('web/fetch_html', { url: 'https://x.example/', proxy });
    expect([through('http://proxy.example:8080'), through('http://10.0.0.1:3128'), through('')]).toEqual([
      true,
      false,
      false,
    ]);
    const capped = under('ceiling: { fetch: { host: public } }, allow: [ { tools: ["web/*"] } ]');
    expect(capped.permits('web/fetch_html', { url: 'http://8.8.8.8/' })).toBe(true);
    expect(
      capped.call('web/fetch_html', { url: 'http://8.8.8.8/', proxy: 'http://10.0.0.1:3128' }),
    ).toMatchObject({
      code: 'out_of_scope',
      constraint: 'fetch.host (public)',
    });
  });

  test('send headers only where a rule frees them', () => {
    const args = { url: 'https://x.example/', headers: { Host: 'm.example' } };
    expect(allowing('{ host: x.example }').call('web/fetch_html', args)).toMatchObject({
      constraint: 'args.headers',
    });
    const free = '{ host: x.example, args.headers.Accept: any, args.max_length: any }';
    expect(allowing(free).permits('web/fetch_html', args)).toBe(false);
    expect(
      allowing(free).permits('web/fetch_html', { ...args, headers: { Accept: '*/*' }, max_length: 1 }),
    ).toBe(true);
  });

  test('are denied by host whatever the spelling', () => {
    const policy = under(
      'allow: [ { tools: ["web/*"] } ], deny: [ { where: { host: [private, loopback, LOCALHOST] } } ]',
    );
    for (const url of [
      'http://10.0.0.1/',
      'http://0x7f.1/',
      'http://[::ffff:10.0.0.1]/',
      'http://localhost./',
      'http://LocalHost:80/',
      'https://u:p@127.0.0.1/',
    ])
      expect([url, policy.permits('web/fetch_txt', { url })]).toEqual([url, false]);
    expect(policy.permits('web/fetch_txt', { url: 'https://localhost.example/' })).toBe(true);
  });

  test('fill a url of which one is allowed', () => {
    const policy = under(
      'allow: [ { tools: [web/fetch_json], where: { url: "https://x.example/feed.json" } } ]',
    );
    expect(policy.call('web/fetch_json', {})).toMatchObject({
      args: { url: 'https://x.example:443/feed.json' },
      filled: ['args.url'],
    });
  });
});
