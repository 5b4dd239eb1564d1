/** Reports about paths. */
import { fileTools, text, tool } from '../tools.js';
import { type Telling, deny, permit } from './story.js';

/** Report to scenario. */
export const pathReports: Readonly<Record<string, Telling>> = {
  R001: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /srv/data/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        deny('files/read_file', { path: '/srv/database/users.csv' }, 'not_permitted', {
          layer: 'policy',
          constraint: 'path',
        }),
        deny('files/read_file', { path: '/srv/data2' }, 'not_permitted'),
        deny('files/read_file', { path: '/srv' }, 'not_permitted'),
        permit('files/read_file', { path: '/srv/data/users.csv' }),
        permit('files/read_file', { path: '/srv/data' }),
      ],
    },
  ],
  R002: [
    {
      policy: `
pawl: 1
servers: { sh: { command: shell-mcp } }
agents:
  a:
    allow:
      - tools: [sh/run_command]
        where: { args.cwd: { path: [/home/dev/project/**] }, args.command: any }
`,
      tools: { sh: [tool('run_command', { command: text, cwd: text }, ['command'])] },
      steps: [
        deny('sh/run_command', { command: 'ls', cwd: '/home/dev/project-evil' }, 'not_permitted', {
          constraint: 'args.cwd',
        }),
        deny('sh/run_command', { command: 'ls' }, 'not_permitted'),
        permit('sh/run_command', { command: 'ls', cwd: '/home/dev/project' }),
        permit(
          'sh/run_command',
          { command: 'ls', cwd: '/home/dev/project/src/' },
          { command: 'ls', cwd: '/home/dev/project/src' },
        ),
      ],
    },
  ],
  R003: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    ceiling: { filesystem: { path: [/**] } }
    allow:
      - { tools: [files/*], verbs: [read], where: { path: /** } }
`,
      tools: { files: fileTools('read_file', 'write_file') },
      steps: [
        permit('files/read_file', { path: '/etc/hostname' }),
        permit('files/read_file', { path: '/' }),
        deny('files/write_file', { path: '/etc/hostname', content: 'x' }, 'not_permitted'),
      ],
    },
  ],
  R004: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /srv/workspace } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /srv/workspace/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        deny('files/read_file', { path: '/srv/workspace/../../etc/passwd' }, 'not_permitted', {
          constraint: 'path',
        }),
        deny('files/read_file', { path: '../secret' }, 'not_permitted'),
        permit('files/read_file', { path: '/srv/workspace/a/../b.txt' }, { path: '/srv/workspace/b.txt' }),
        permit('files/read_file', { path: '/srv/x/../workspace/b.txt' }, { path: '/srv/workspace/b.txt' }),
      ],
    },
  ],
  R005: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /workspace/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        permit('files/read_file', { path: '/workspace/sales..2024.txt' }),
        permit('files/read_file', { path: '/workspace/..cache/a' }),
        deny('files/read_file', { path: '/workspace/../sales' }, 'not_permitted'),
      ],
    },
  ],
  R006: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /workspace/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        permit('files/read_file', { path: '/workspace/app/blog/[...slug].ts' }),
        permit('files/read_file', { path: '/workspace/app/.../x' }),
        deny('files/read_file', { path: '/workspace/app/../../[...slug].ts' }, 'not_permitted'),
      ],
    },
  ],
  R007: [
    {
      policy: `
pawl: 1
servers: { find: { command: finder } }
agents:
  a:
    allow:
      - { tools: [find/glob_search], where: { args.path: { path: [/workspace/**] }, args.pattern: any } }
`,
      tools: { find: [tool('glob_search', { path: text, pattern: text })] },
      steps: [
        permit('find/glob_search', { path: '/workspace/v2..attic', pattern: '*.md' }),
        deny('find/glob_search', { path: '/workspace/v2/../..', pattern: '*.md' }, 'not_permitted', {
          constraint: 'args.path',
        }),
      ],
    },
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/search_files], where: { path: /workspace/** } }
`,
      tools: { files: fileTools('search_files') },
      steps: [
        permit('files/search_files', { path: '/workspace/v2..attic', pattern: '*.md' }),
        deny('files/search_files', { path: '/workspace/..', pattern: '*.md' }, 'not_permitted'),
      ],
    },
  ],
  R008: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /home/dev/projects } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /home/dev/projects/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        permit(
          'files/read_file',
          { path: 'report-q3/summary.log' },
          { path: '/home/dev/projects/report-q3/summary.log' },
        ),
        permit('files/read_file', { path: './a' }, { path: '/home/dev/projects/a' }),
        deny('files/read_file', { path: '../other/summary.log' }, 'not_permitted'),
      ],
    },
  ],
  R009: [
    {
      policy: `
pawl: 1
servers: { ws: { command: workspace-mcp, root: /workspace } }
agents:
  a:
    allow:
      - { tools: [ws/edit_file, ws/read_file], where: { args.path: { path: [/workspace/**] }, rest: any } }
    deny:
      - { where: { args.path: { path: ["**/settings.Production.json"] } } }
`,
      tools: {
        ws: [tool('edit_file', { path: text, old: text, new: text }), tool('read_file', { path: text })],
      },
      steps: [
        deny(
          'ws/edit_file',
          { path: 'services/api/settings.Production.json', old: 'x', new: 'y' },
          'denied',
          { constraint: 'args.path' },
        ),
        deny('ws/read_file', { path: 'settings.production.json' }, 'denied'),
        permit(
          'ws/edit_file',
          { path: 'services/api/settings.json', old: 'x', new: 'y' },
          { path: '/workspace/services/api/settings.json', old: 'x', new: 'y' },
        ),
      ],
    },
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /workspace } }
agents:
  a:
    allow:
      - { tools: [files/edit_file, files/read_file], where: { path: /workspace/** } }
    deny:
      - { where: { path: "**/settings.Production.json" } }
`,
      tools: { files: fileTools('edit_file', 'read_file') },
      steps: [
        deny(
          'files/edit_file',
          { path: 'services/api/settings.Production.json', edits: [{ oldText: 'x', newText: 'y' }] },
          'denied',
          { layer: 'policy', constraint: 'path' },
        ),
        deny('files/read_file', { path: './a/../settings.Production.json' }, 'denied'),
        permit('files/read_file', { path: 'settings.json' }, { path: '/workspace/settings.json' }),
      ],
    },
  ],
  R016: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /home/dev, case: insensitive } }
agents:
  a:
    allow:
      - { tools: [files/write_file], where: { path: /home/dev/** } }
    deny:
      - { where: { path: "**/authorized_keys" } }
`,
      tools: { files: fileTools('write_file') },
      steps: [
        deny(
          'files/write_file',
          { path: '/home/dev/.ssh/AUTHORIZED_KEYS', content: 'ssh-ed25519 AAAA' },
          'denied',
          { constraint: 'path' },
        ),
        deny('files/write_file', { path: '/home/dev/.ssh/authorized_keys', content: '' }, 'denied'),
        permit('files/write_file', { path: '/home/dev/.ssh/authorized_keys2', content: '' }),
        permit('files/write_file', { path: '/Home/Dev/notes', content: '' }),
      ],
    },
  ],
  R018: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, case: sensitive } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /data/public/** } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        deny('files/read_file', { path: '/data/PUBLIC/x.txt' }, 'not_permitted', { constraint: 'path' }),
        permit('files/read_file', { path: '/data/public/X.TXT' }),
      ],
    },
  ],
  R019: [
    {
      policy: `
pawl: 1
servers: { up: { command: uploader, root: /home/dev, case: insensitive } }
agents:
  a:
    allow:
      - { tools: [up/upload_file], where: { args.file_path: { path: [/home/dev/**] } } }
    deny:
      - { tools: [up/upload_file], where: { args.file_path: { path: ["**/.kube/**", "**/.docker/**", "**/.azure/**"] } } }
`,
      tools: { up: [tool('upload_file', { file_path: text })] },
      steps: [
        deny('up/upload_file', { file_path: '/home/dev/.Kube/config' }, 'denied', {
          constraint: 'args.file_path',
        }),
        deny('up/upload_file', { file_path: '/home/dev/x/.AZURE' }, 'denied'),
        permit('up/upload_file', { file_path: '/home/dev/.kubernetes/config' }),
        permit('up/upload_file', { file_path: '/home/dev/kube/config' }),
      ],
    },
  ],
  R020: [
    {
      policy: `
pawl: 1
servers: { pkg: { command: packages-mcp } }
agents:
  a:
    allow:
      - { tools: [pkg/read_file], where: { args.path: { path: [/pkg/*.json] } } }
`,
      tools: { pkg: [tool('read_file', { path: text })] },
      steps: [
        deny('pkg/read_file', { path: '/pkg/card%00.json' }, 'malformed_arguments', { layer: 'decode' }),
        deny('pkg/read_file', { path: '/pkg/card\u0000.json' }, 'malformed_arguments', { layer: 'decode' }),
        deny('pkg/read_file', { path: '/pkg/card%2500.json' }, 'malformed_arguments'),
        deny('pkg/read_file', { path: '/pkg/a/card.json' }, 'not_permitted'),
        permit('pkg/read_file', { path: '/pkg/card.json' }),
        permit('pkg/read_file', { path: '/pkg/100% card.json' }),
      ],
    },
  ],
  R021: [
    {
      policy: `
pawl: 1
servers: { docs: { command: docs-mcp } }
agents: { a: { allow: [ { tools: [docs/resources/read], where: { args.uri: { url: ["file://documents/**"] } } } ] } }
`,
      tools: { docs: [tool('resources/read', { uri: text })] },
      steps: [
        deny(
          'docs/resources/read',
          { uri: 'file://documents/..%2F..%2Fetc%2Fpasswd' },
          'malformed_arguments',
          {
            constraint: 'args.uri',
          },
        ),
        deny('docs/resources/read', { uri: 'file://documents/..%252F..%252Fetc' }, 'malformed_arguments'),
        deny('docs/resources/read', { uri: 'file:///etc/passwd' }, 'not_permitted'),
        permit('docs/resources/read', { uri: 'file://documents/a%2Fb.md' }),
        permit('docs/resources/read', { uri: 'file://documents/2024/report..md' }),
      ],
    },
  ],
  R022: [
    {
      policy: `
pawl: 1
servers: { game: { command: missions-mcp, root: /srv/game } }
agents:
  a:
    allow:
      - { tools: [game/get_file], where: { args.path: { path: [missions/**] } } }
`,
      tools: { game: [tool('get_file', { path: text })] },
      steps: [
        deny(
          'game/get_file',
          { path: 'missions/%252e%252e%252f%252e%252e%252fsecret.yaml' },
          'malformed_arguments',
          { layer: 'decode' },
        ),
        deny('game/get_file', { path: 'missions/../secret.yaml' }, 'not_permitted'),
        permit(
          'game/get_file',
          { path: 'missions/level 1/boss.yaml' },
          { path: '/srv/game/missions/level 1/boss.yaml' },
        ),
      ],
    },
  ],
  R023: [
    {
      policy: `
pawl: 1
servers: { api: { command: api-mcp } }
agents:
  a:
    allow:
      - { tools: [api/api_request], where: { args.method: [GET], args.path: { path: [/servers/**] } } }
`,
      tools: { api: [tool('api_request', { method: text, path: text })] },
      steps: [
        deny(
          'api/api_request',
          { method: 'GET', path: '/servers/%2e%2e/certificates' },
          'malformed_arguments',
          { layer: 'decode' },
        ),
        deny('api/api_request', { method: 'GET', path: '/servers/../certificates' }, 'not_permitted', {
          constraint: 'args.path',
        }),
        permit('api/api_request', { method: 'GET', path: '/servers/17' }),
      ],
    },
  ],
  R030: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /repo } }
agents:
  a:
    allow:
      - { tools: [files/*], verbs: [read] }
    deny:
      - { where: { path: "**/*.env" } }
`,
      tools: { files: fileTools('read_file', 'read_multiple_files', 'write_file') },
      steps: [
        deny('files/read_file', { path: 'src/config/prod.env' }, 'denied', { constraint: 'path' }),
        deny('files/read_multiple_files', { paths: ['README.md', '/x/y/z/.ENV'] }, 'denied'),
        deny('files/write_file', { path: 'a', content: '' }, 'not_permitted'),
        permit('files/read_file', { path: '/repo/src/config/prod.env.md' }),
        permit('files/read_file', { path: 'src/env' }, { path: '/repo/src/env' }),
      ],
    },
  ],
  R031: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: /repo/** } }
    deny:
      - { where: { path: ["**/.env", "**/.env.{local,production}"] } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        permit('files/read_file', { path: '/repo/.env.local.example' }),
        permit('files/read_file', { path: '/repo/.env.example' }),
        deny('files/read_file', { path: '/repo/.env' }, 'denied'),
        deny('files/read_file', { path: '/repo/app/.env.production' }, 'denied', { constraint: 'path' }),
      ],
    },
  ],
  R032: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/write_file], where: { path: /repo/** } }
    deny:
      - { where: { path: "**/.agent/**" } }
`,
      tools: { files: fileTools('write_file') },
      steps: [
        deny('files/write_file', { path: '/repo/.agent/rules/x.md', content: 'x' }, 'denied', {
          constraint: 'path',
        }),
        deny('files/write_file', { path: '/repo/a/b/.agent', content: 'x' }, 'denied'),
        permit('files/write_file', { path: '/repo/.agents/rules/x.md', content: 'x' }),
      ],
    },
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [files/write_file] }
    deny:
      - { where: { path: "**/.agent/**" } }
`,
      tools: { files: fileTools('write_file') },
      steps: [
        deny('files/write_file', { path: '/.agent/x', content: 'x' }, 'denied'),
        permit('files/write_file', { path: '/agent/x', content: 'x' }),
      ],
    },
  ],
  R034: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /site } }
agents:
  a:
    allow:
      - { tools: [files/read_file], where: { path: "pages/[id].ts" } }
`,
      tools: { files: fileTools('read_file') },
      steps: [
        permit('files/read_file', { path: 'pages/[id].ts' }, { path: '/site/pages/[id].ts' }),
        deny('files/read_file', { path: 'pages/i.ts' }, 'not_permitted'),
        deny('files/read_file', { path: 'pages/[id]Xts' }, 'not_permitted'),
      ],
    },
  ],
  R035: [
    {
      policy: `
pawl: 1
servers: { find: { command: finder } }
agents:
  a:
    allow:
      - { tools: [find/glob_search], where: { args.pattern: { glob: "src/*.md" } } }
    deny:
      - { tools: [find/glob_search], where: { args.pattern: { glob: "*txt*" } } }
`,
      tools: { find: [tool('glob_search', { pattern: text })] },
      steps: [
        deny('find/glob_search', { pattern: '**/*.txt' }, 'denied', { constraint: 'args.pattern' }),
        deny('find/glob_search', { pattern: '**/*.md' }, 'not_permitted', { constraint: 'args.pattern' }),
        permit('find/glob_search', { pattern: 'src/*.md' }),
      ],
    },
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem, root: /workspace } }
agents:
  a:
    allow:
      - { tools: [files/search_files, files/read_file], where: { path: /workspace/** } }
    deny:
      - { where: { path: "**/secret.txt" } }
`,
      tools: { files: fileTools('search_files', 'read_file') },
      steps: [
        deny('files/search_files', { path: '/workspace', pattern: '**/*.txt' }, 'denied', {
          constraint: 'path',
        }),
        deny('files/read_file', { path: 'src/secret.txt' }, 'denied'),
        permit('files/read_file', { path: 'src/ok.txt' }, { path: '/workspace/src/ok.txt' }),
      ],
    },
  ],
};
