/** Reports about arguments. */
import { fileTools, integer, number, text, tool } from '../tools.js';
import { type Telling, deny, malformed, message, permit, whole } from './story.js';

const search = `
pawl: 1
servers: { docs: { command: docs-mcp } }
agents:
  a:
    allow:
      - { tools: [docs/search_documents], where: { args.tenant: [tenant-a], args.query: any } }
`;

/** Report to scenario. */
export const argumentReports: Readonly<Record<string, Telling>> = {
  R094: [
    {
      policy: search,
      tools: { docs: [tool('search_documents', { tenant: text, query: text }, ['query'])] },
      steps: [
        permit(
          'docs/search_documents',
          { query: 'invoice' },
          { query: 'invoice', tenant: 'tenant-a' },
          { filled: ['args.tenant'] },
        ),
        permit('docs/search_documents', { query: 'invoice', tenant: 'tenant-a' }),
        deny('docs/search_documents', { query: 'invoice', tenant: 'shared' }, 'not_permitted', {
          constraint: 'args.tenant',
        }),
      ],
    },
    {
      policy: search.replace('[tenant-a]', '[tenant-a, tenant-b]'),
      tools: { docs: [tool('search_documents', { tenant: text, query: text }, ['query'])] },
      steps: [
        deny('docs/search_documents', { query: 'invoice' }, 'several_values', {
          layer: 'policy',
          constraint: 'args.tenant',
        }),
      ],
    },
    {
      policy: search,
      tools: {
        docs: [
          tool('search_documents', { tenant: { type: 'string', default: 'shared' }, query: text }, ['query']),
        ],
      },
      steps: [
        deny('docs/search_documents', { query: 'invoice' }, 'not_permitted', { constraint: 'args.tenant' }),
        permit('docs/search_documents', { query: 'invoice', tenant: 'tenant-a' }),
      ],
    },
  ],
  R095: [
    {
      policy: `
pawl: 1
servers: { sec: { command: posture-mcp } }
agents: { a: { allow: [ { tools: [sec/posture_report], where: { args.tenant_id: [tenant-a] } } ] } }
`,
      tools: { sec: [tool('posture_report', { tenant_id: text }, [])] },
      steps: [
        permit('sec/posture_report', { tenant_id: 'tenant-a' }),
        permit('sec/posture_report', {}, { tenant_id: 'tenant-a' }),
        deny('sec/posture_report', { tenant_id: 'tenant-b' }, 'not_permitted'),
      ],
    },
  ],
  R096: [
    {
      policy: whole('clock', 'server_time'),
      tools: { clock: [tool('server_time', {})] },
      steps: [
        permit('clock/server_time', null, {}),
        permit('clock/server_time', {}),
        message('{"name":"clock__server_time","arguments":null}', { decision: 'permit', args: {} }),
        message('{"name":"clock__server_time"}', { decision: 'permit', args: {} }),
        deny('clock/server_time', [], 'malformed_arguments'),
      ],
    },
  ],
  R097: [
    {
      policy: whole('hub', 'list_repos'),
      tools: { hub: [tool('list_repos', { query: text, after: text, limit: integer }, ['query'])] },
      steps: [
        permit(
          'hub/list_repos',
          { query: 'authenticate', after: null, limit: null },
          { query: 'authenticate' },
        ),
        permit('hub/list_repos', { query: 'authenticate', limit: 5 }),
        deny('hub/list_repos', { query: null }, 'malformed_arguments', { layer: 'decode' }),
      ],
    },
  ],
  R098: [
    {
      policy: `
pawl: 1
servers: { forms: { command: forms-mcp } }
agents: { a: { allow: [ { tools: [forms/save_template], where: { args.template_id: [t1], args.fields: any } } ] } }
`,
      tools: {
        forms: [
          tool(
            'save_template',
            {
              template_id: text,
              name: text,
              file: text,
              fields: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { key: text, ai_prompt: text },
                  required: ['key'],
                  additionalProperties: false,
                },
              },
            },
            ['template_id'],
          ),
        ],
      },
      steps: [
        permit(
          'forms/save_template',
          { template_id: 't1', name: null, file: null, fields: [{ key: 'a', ai_prompt: null }] },
          { template_id: 't1', fields: [{ key: 'a' }] },
        ),
        deny('forms/save_template', { template_id: 't1', name: 'x' }, 'not_permitted', {
          constraint: 'args.name',
        }),
        deny('forms/save_template', { template_id: 't2', name: null }, 'not_permitted', {
          constraint: 'args.template_id',
        }),
        deny('forms/save_template', { template_id: 't1', fields: [{ key: null }] }, 'malformed_arguments'),
      ],
    },
  ],
  R099: [
    {
      policy: `
pawl: 1
servers: { cdn: { command: cdn-mcp } }
agents: { a: { allow: [ { tools: [cdn/cache_config], where: { args.config.ttl: { min: 0, max: 60 } } } ] } }
`,
      tools: {
        cdn: [
          tool('cache_config', {
            config: { type: 'object', properties: { ttl: integer }, additionalProperties: false },
          }),
        ],
      },
      steps: [
        deny('cdn/cache_config', { config: { ttll: 5 } }, 'malformed_arguments', { layer: 'decode' }),
        deny('cdn/cache_config', { config: { ttl: 5, ttll: 5 } }, 'malformed_arguments'),
        deny('cdn/cache_config', { config: { ttl: 61 } }, 'not_permitted', { constraint: 'args.config.ttl' }),
        permit('cdn/cache_config', { config: { ttl: 60 } }),
      ],
    },
    {
      policy: whole('cdn', 'cache_config'),
      tools: { cdn: [tool('cache_config', { config: { type: 'object', properties: { ttl: integer } } })] },
      steps: [
        deny('cdn/cache_config', { config: { ttll: 5 } }, 'malformed_arguments'),
        permit('cdn/cache_config', { config: { ttl: 500 } }),
      ],
    },
  ],
  R100: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents: { a: { allow: [ { tools: [files/read_file], where: { path: /srv/data/** } } ] } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        deny('files/read_file', { path: '/etc/shadow' }, 'not_permitted'),
        permit('files/read_file', { path: '/srv/data/shadow' }),
      ],
    },
  ],
  R101: [
    {
      policy: `
pawl: 1
servers: { net: { command: net-mcp } }
agents:
  a:
    allow:
      - { tools: ["net/*"], where: { args.url: { url: ["https://api.example.com", "http://api.example.com"] }, rest: any } }
`,
      tools: {
        net: [
          tool('mcp_fetch', { url: text }),
          tool('post', { url: text, body: text }),
          tool('dial', { to: text }),
        ],
      },
      steps: [
        deny('net/mcp_fetch', { url: 'https://attacker.example.net/' }, 'not_permitted', {
          constraint: 'args.url',
        }),
        permit('net/mcp_fetch', { url: 'https://api.example.com/v1' }),
        deny('net/post', { url: 'http://attacker.example.net/', body: 'x' }, 'not_permitted'),
        permit('net/post', { url: 'http://api.example.com/', body: 'x' }),
        deny('net/dial', { to: 'https://api.example.com/' }, 'not_permitted'),
      ],
    },
  ],
  R102: [
    {
      policy: `
pawl: 1
servers: { reader: { command: reader-mcp } }
agents:
  a:
    allow:
      - { tools: [reader/read_file], where: { args.path: { path: [/srv/data/**] } } }
      - { tools: [reader/read_file], where: { args.file_path: { path: [/srv/data/**] } } }
`,
      tools: { reader: [tool('read_file', { path: text, file_path: text }, [])] },
      steps: [
        deny('reader/read_file', { file_path: '/srv/data/a.txt', path: '/etc/passwd' }, 'not_permitted'),
        deny('reader/read_file', { file_path: '/srv/data/a.txt', path: '/srv/data/b.txt' }, 'not_permitted'),
        permit('reader/read_file', { file_path: '/srv/data/a.txt' }),
        permit('reader/read_file', { path: '/srv/data/a.txt' }),
        deny('reader/read_file', {}, 'not_permitted'),
      ],
    },
    {
      policy: `
pawl: 1
servers: { reader: { command: reader-mcp } }
agents:
  a:
    allow:
      - tools: [reader/read_file]
        where: { args.path: { optional: { path: [/srv/data/**] } }, args.file_path: { optional: { path: [/srv/data/**] } } }
`,
      tools: { reader: [tool('read_file', { path: text, file_path: text }, [])] },
      steps: [
        deny('reader/read_file', { file_path: '/srv/data/a.txt', path: '/etc/passwd' }, 'not_permitted', {
          constraint: 'args.path',
        }),
        deny('reader/read_file', { file_path: '/etc/passwd', path: '/srv/data/a.txt' }, 'not_permitted', {
          constraint: 'args.file_path',
        }),
        permit('reader/read_file', { file_path: '/srv/data/a.txt' }),
      ],
    },
  ],
  R103: [
    {
      policy: `
pawl: 1
servers: { sales: { command: sales-mcp } }
agents: { a: { allow: [ { tools: [sales/query_sales], where: { args.params.region: [EU] } } ] } }
`,
      tools: {
        sales: [
          tool('query_sales', {
            params: {
              type: 'object',
              properties: { region: text },
              required: ['region'],
              additionalProperties: false,
            },
          }),
        ],
      },
      steps: [
        deny('sales/query_sales', { params: { region: 'US' } }, 'not_permitted', {
          constraint: 'args.params.region',
        }),
        deny('sales/query_sales', { region: 'EU' }, 'malformed_arguments'),
        permit('sales/query_sales', { params: { region: 'EU' } }),
      ],
    },
  ],
  R104: [
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents: { a: { allow: [ { tools: [bank/transfer], where: { args.amount: { above: 0, max: 1000000 } } } ] } }
`,
      tools: { bank: [tool('transfer', { amount: number })] },
      steps: [
        deny('bank/transfer', { amount: '2000000' }, 'malformed_arguments', { layer: 'decode' }),
        deny('bank/transfer', { amount: '5' }, 'malformed_arguments'),
        deny('bank/transfer', { amount: 1000000.5 }, 'not_permitted', { constraint: 'args.amount' }),
        permit('bank/transfer', { amount: 1000000 }),
      ],
    },
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents: { a: { allow: [ { tools: [bank/transfer], where: { args.amount: { above: 0, max: 1000000 } } } ] } }
`,
      tools: { bank: [{ name: 'transfer', inputSchema: { type: 'object', properties: { amount: {} } } }] },
      steps: [
        deny('bank/transfer', { amount: '2000000' }, 'not_permitted', { constraint: 'args.amount' }),
        deny('bank/transfer', { amount: '5' }, 'not_permitted'),
        permit('bank/transfer', { amount: 5 }),
      ],
    },
  ],
  R105: [
    {
      policy: `
pawl: 1
servers: { panel: { command: panel-mcp } }
agents: { a: { allow: [ { tools: [panel/decide], where: { args.options: { maxItems: 3 } } } ] } }
`,
      tools: {
        panel: [
          tool('decide', {
            options: {
              type: 'array',
              items: {
                type: 'object',
                properties: { id: text },
                required: ['id'],
                additionalProperties: false,
              },
            },
          }),
        ],
      },
      steps: [
        permit(
          'panel/decide',
          { options: '[{"id":"a"},{"id":"b"}]' },
          { options: [{ id: 'a' }, { id: 'b' }] },
        ),
        permit('panel/decide', { options: [{ id: 'a' }] }),
        deny('panel/decide', { options: '[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]' }, 'not_permitted', {
          constraint: 'args.options',
        }),
        deny('panel/decide', { options: '[{"id":"a","id":"b"}]' }, 'malformed_arguments'),
        deny('panel/decide', { options: '[{"id":1}]' }, 'malformed_arguments'),
        deny('panel/decide', { options: 'a, b' }, 'malformed_arguments'),
      ],
    },
  ],
  R106: [
    {
      policy: whole('talk', 'echo'),
      tools: { talk: [tool('echo', { text }, [])] },
      steps: [
        message('{"name":"talk__echo","arguments":["x"]}', malformed),
        message('{"name":"talk__echo","arguments":"x"}', malformed),
        message('{"name":"talk__echo","arguments":{"text":"x"}}', {
          decision: 'permit',
          args: { text: 'x' },
        }),
      ],
    },
  ],
};
