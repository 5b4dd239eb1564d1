/** Reports about whole messages, and about values that a limit has to hold. */
import { integer, number, text, tool } from '../tools.js';
import { type Telling, by, deny, malformed, message, permit, whole } from './story.js';

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Report to scenario. */
export const messageReports: Readonly<Record<string, Telling>> = {
  R108: [
    {
      policy: whole('box', 'hello'),
      tools: { box: [tool('hello', {}), tool('purge', {})] },
      steps: [
        message('{"name":"box__hello","Name":"box__purge","arguments":{}}', malformed),
        message('{"name":"box__hello","name":"box__purge","arguments":{}}', malformed),
        message('{"name":"box__hello","arguments":{},"ARGUMENTS":{"x":1}}', malformed),
        message('{"name":"box__purge","arguments":{}}', { decision: 'deny', code: 'not_permitted' }),
        message('{"name":"box__hello","arguments":{}}', { decision: 'permit', args: {} }),
      ],
    },
  ],
  R109: [
    {
      policy:
        '{"pawl":1,"servers":{"s":{}},"agents":{"a":{"allow":[{"tools":["s/t"],"ask":"once","ask":"session"}]}}}',
      tools: { s: [tool('t', {})] },
      names: ['ask', 'a second time'],
    },
    {
      policy:
        '{"pawl":1,"servers":{"s":{}},"agents":{"a":{"deny":[{"tools":["s/t"]}],"allow":[{"tools":["s/t"]}],"deny":[]}}}',
      tools: { s: [tool('t', {})] },
      names: ['deny', 'a second time'],
    },
    {
      policy: '{"pawl":1,"servers":{"s":{}},"agents":{"a":{"allow":[{"tools":["s/t"],"ask":"once"}]}}}',
      tools: { s: [tool('t', {})] },
      steps: [
        {
          call: { tool: 's/t', args: {} },
          want: { decision: 'ask', code: 'consent_required', layer: 'ask' },
        },
      ],
    },
  ],
  R110: [
    {
      policy: whole('box', 'greet'),
      tools: { box: [{ name: 'greet', inputSchema: { type: 'object' } }, tool('secret_tool', {})] },
      steps: [
        message('{"name":"box__greet","arguments":{}} {"name":"box__secret_tool"}', malformed),
        message(`{"name":"box__greet","arguments":${deep(70)}}`, malformed),
        message(`{"name":"box__greet","arguments":${deep(100_000)}}`, malformed),
        message(`{"name":"box__greet","arguments":${deep(50)}}`, { decision: 'permit' }),
        message('{"name":"box__greet","arguments":{}}', { decision: 'permit', args: {} }),
      ],
    },
  ],
  R111: [
    {
      policy: whole('box', 'greet'),
      tools: { box: [tool('greet', {}), tool('__proto__', {}), tool('constructor', {})] },
      steps: [
        deny('box/__proto__', {}, 'not_permitted'),
        deny('box/constructor', {}, 'not_permitted'),
        deny('box/toString', {}, 'no_such_cap'),
        deny('__proto__/greet', {}, 'no_such_cap'),
        message('{"name":"__proto__","arguments":{}}', {
          decision: 'deny',
          code: 'no_such_cap',
          layer: 'handle',
        }),
        { call: { tool: 'box/greet', raw: '{"__proto__":{"a":1}}' }, want: malformed },
        {
          call: { tool: 'box/greet', args: {}, agent: '__proto__' },
          want: { decision: 'deny', code: 'no_agent' },
        },
        permit('box/greet', {}),
      ],
    },
  ],
  R112: [
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents:
  a:
    allow:
      - tools: [bank/pay]
        where: [ { args.amount: { max: 5 } } ]
`,
      tools: { bank: [tool('pay', { amount: number })] },
      names: ['list', 'mapping'],
    },
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents:
  a:
    ceiling: { bank: [ { args.amount: { max: 5 } } ] }
    allow: [ { tools: [bank/pay] } ]
`,
      tools: { bank: [tool('pay', { amount: number })] },
      names: ['list', 'mapping'],
    },
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents: { a: { allow: [ { tools: [bank/pay], where: { args.amount: { min: 0, max: 5 } } } ] } }
`,
      tools: { bank: [tool('pay', { amount: number })] },
      steps: [deny('bank/pay', { '0': 'x' }, 'malformed_arguments'), permit('bank/pay', { amount: 5 })],
    },
  ],
  R113: [
    {
      policy: `
pawl: 1
servers: { money: { command: budget-mcp } }
agents: { a: { allow: [ { tools: [money/set_budget], where: { args.daily: { min: 0, max: 100 } } } ] } }
`,
      tools: { money: [tool('set_budget', { daily: number })] },
      steps: [
        message('{"name":"money__set_budget","arguments":{"daily":NaN}}', malformed),
        message('{"name":"money__set_budget","arguments":{"daily":1e999}}', malformed),
        message('{"name":"money__set_budget","arguments":{"daily":-Infinity}}', malformed),
        { call: { tool: 'money/set_budget', raw: '{"daily":100.0000000000000000001}' }, want: malformed },
        message('{"name":"money__set_budget","arguments":{"daily":"NaN"}}', malformed),
        message('{"name":"money__set_budget","arguments":{"daily":1e2}}', {
          decision: 'permit',
          args: { daily: 100 },
        }),
        permit('money/set_budget', { daily: 0.1 }),
      ],
    },
  ],
  R114: [
    {
      policy: `
pawl: 1
servers: { acct: { command: accounts-mcp } }
agents: { a: { allow: [ { tools: [acct/set_limit], where: { args.account: [a1], args.amount: { min: 0, max: 1000 } } } ] } }
`,
      tools: { acct: [tool('set_limit', { account: text, amount: number })] },
      steps: [
        deny('acct/set_limit', { account: 'a1', amount: -1000 }, 'not_permitted', {
          constraint: 'args.amount',
        }),
        deny('acct/set_limit', { account: 'a1', amount: 1000.01 }, 'not_permitted'),
        deny('acct/set_limit', { account: 'a2', amount: 5 }, 'not_permitted', { constraint: 'args.account' }),
        permit('acct/set_limit', { account: 'a1', amount: 0 }),
        permit('acct/set_limit', { account: 'a1', amount: 1000 }),
      ],
    },
  ],
  R115: [
    {
      policy: `
pawl: 1
servers: { up: { command: uploader } }
agents: { a: { allow: [ { tools: [up/upload], where: { args.max_files: { min: 1, max: 5 } } } ] } }
`,
      tools: { up: [tool('upload', { max_files: integer }, [])] },
      steps: [
        deny('up/upload', { max_files: -1 }, 'not_permitted', { constraint: 'args.max_files' }),
        deny('up/upload', { max_files: 0 }, 'not_permitted'),
        deny('up/upload', {}, 'not_permitted', { constraint: 'args.max_files' }),
        permit('up/upload', { max_files: 5 }),
      ],
    },
  ],
  R116: [
    {
      policy: `
pawl: 1
servers: { web: { command: web-mcp } }
agents:
  a:
    allow:
      - tools: [web/http_request]
        where: { args.method: { except: [DELETE] }, args.url: { prefix: "https://api.example.com/" } }
`,
      tools: { web: [tool('http_request', { method: text, url: text })] },
      steps: [
        deny(
          'web/http_request',
          { method: 'delete', url: 'https://api.example.com/items/1' },
          'not_permitted',
          { constraint: 'args.method' },
        ),
        deny(
          'web/http_request',
          { method: 'DELETE', url: 'https://api.example.com/items/1' },
          'not_permitted',
        ),
        deny(
          'web/http_request',
          { method: 'GET', url: 'https://api.example.com.evil.example/' },
          'not_permitted',
        ),
        permit('web/http_request', { method: 'get', url: 'https://api.example.com/items/1' }),
      ],
    },
    {
      policy: `
pawl: 1
servers: { web: { command: web-mcp } }
agents:
  a:
    allow: [ { tools: [web/http_request] } ]
    deny: [ { tools: [web/http_request], where: { args.method: [DELETE] } } ]
`,
      tools: { web: [tool('http_request', { method: text, url: text })] },
      steps: [
        deny('web/http_request', { method: 'delete', url: 'https://api.example.com/items/1' }, 'denied', {
          constraint: 'args.method',
        }),
        permit('web/http_request', { method: 'PATCH', url: 'https://api.example.com/items/1' }),
      ],
    },
  ],
  R117: [
    {
      policy: `
pawl: 1
servers: { track: { command: tracker-mcp } }
agents:
  a:
    allow:
      - { tools: [track/create_issue], where: { args.project: [P1], args.title: any, args.statusUpdateType: any } }
`,
      tools: {
        track: [
          tool(
            'create_issue',
            {
              project: text,
              title: text,
              statusUpdateType: { type: 'string', enum: ['project', 'initiative'] },
            },
            ['project', 'title'],
          ),
        ],
      },
      steps: [
        permit(
          'track/create_issue',
          { project: 'P1', title: 'x', statusUpdateType: null },
          { project: 'P1', title: 'x' },
        ),
        permit('track/create_issue', { project: 'P1', title: 'x', statusUpdateType: 'project' }),
        deny(
          'track/create_issue',
          { project: 'P1', title: 'x', statusUpdateType: 'Project' },
          'malformed_arguments',
        ),
        deny('track/create_issue', { project: 'P2', title: 'x' }, 'not_permitted', {
          constraint: 'args.project',
        }),
      ],
    },
  ],
  R118: [
    {
      policy: `
pawl: 1
servers: { mem: { command: memory-mcp } }
agents: { a: { allow: [ { tools: [mem/get_memories] } ] } }
instances:
  a/alice: { narrow: { mem: { args.user_id: [alice] } } }
  a/bob: { narrow: { mem: { args.user_id: [bob] } } }
`,
      tools: { mem: [tool('get_memories', { user_id: text }, [])] },
      steps: [
        by(
          'alice',
          deny('mem/get_memories', { user_id: 'bob' }, 'out_of_scope', {
            layer: 'narrowing',
            constraint: 'mem.args.user_id',
          }),
        ),
        by('alice', permit('mem/get_memories', { user_id: 'alice' })),
        by('bob', permit('mem/get_memories', { user_id: 'bob' })),
        by('alice', permit('mem/get_memories', {}, { user_id: 'alice' }, { filled: ['args.user_id'] })),
        deny('mem/get_memories', { user_id: 'alice' }, 'no_instance', { layer: 'agent' }),
      ],
    },
  ],
  R119: [
    {
      policy: `
pawl: 1
servers: { cloud: { command: cloud-mcp } }
agents: { a: { allow: [ { tools: [cloud/query_resources] } ] } }
instances:
  a/session: { narrow: { cloud: { args.tenant: [tenant-b] } } }
`,
      tools: { cloud: [tool('query_resources', { tenant: text }, [])] },
      steps: [
        by('session', permit('cloud/query_resources', { tenant: 'tenant-b' })),
        by('session', permit('cloud/query_resources', {}, { tenant: 'tenant-b' })),
        by('session', deny('cloud/query_resources', { tenant: 'tenant-a' }, 'out_of_scope')),
        by('session', deny('cloud/query_resources', { tenant: 'TENANT-B' }, 'out_of_scope')),
      ],
    },
  ],
};
