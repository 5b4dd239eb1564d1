/** Reports about hosts and urls. */
import { text, tool } from '../tools.js';
import { type Step, type Story, type Telling, deny, permit } from './story.js';

/** A tool that goes to its argument `url`, seen whole and by its host. */
function web(name: string, where: string, steps: readonly Step[]): Story {
  return {
    policy: `
pawl: 1
servers: { web: { command: web-mcp, connector: web } }
connectors:
  web:
    fields: { url: { kind: url }, host: { kind: host } }
    tools: { ${name}: { verb: connect, reads: { url: url, host: url } } }
agents:
  a:
    allow:
      - tools: [web/${name}]
        where: ${where}
`,
    tools: { web: [tool(name, { url: text })] },
    steps,
  };
}

/** The same tool without connector, its argument judged as a url. */
function raw(name: string, patterns: string, steps: readonly Step[]): Story {
  return {
    policy: `
pawl: 1
servers: { web: { command: web-mcp } }
agents: { a: { allow: [ { tools: [web/${name}], where: { args.url: { url: ${patterns} } } } ] } }
`,
    tools: { web: [tool(name, { url: text })] },
    steps,
  };
}

const go = (name: string, url: string): Step => permit(`web/${name}`, { url });
const no = (name: string, url: string, code = 'not_permitted'): Step => deny(`web/${name}`, { url }, code);
const onlyExample = '{ host: example.com, args.url: { prefix: "https://" } }';
const publicOnly = '{ host: [public, "**"] }';
const refused = 'malformed_arguments';

/** Any name and any public address; `localhost` is a name, so it is denied. */
function publicWeb(name: string, steps: readonly Step[]): Story {
  const story = web(name, publicOnly, steps);
  return {
    ...story,
    policy: `${story.policy}    deny: [ { where: { host: [localhost, "**.localhost"] } } ]\n`,
  };
}

/** Report to scenario. */
export const urlReports: Readonly<Record<string, Telling>> = {
  R070: [
    web('browser_navigate', onlyExample, [
      no('browser_navigate', 'https://example.com:password@attacker.example.net/'),
      no('browser_navigate', 'https://example.com@attacker.example.net/'),
      no('browser_navigate', 'https://attacker.example.net/#@example.com'),
      no('browser_navigate', 'https://attacker.example.net\\@example.com/', refused),
      go('browser_navigate', 'https://example.com/password@attacker.example.net'),
    ]),
    raw('browser_navigate', '["https://example.com"]', [
      no('browser_navigate', 'https://example.com:password@attacker.example.net/', refused),
      go('browser_navigate', 'https://example.com/'),
    ]),
  ],
  R071: [
    web('browser_navigate', onlyExample, [
      go('browser_navigate', 'https://user:password@example.com/'),
      no('browser_navigate', 'http://user:password@example.com/'),
      no('browser_navigate', 'https://user:password@example.org/'),
    ]),
    web('browser_navigate', '{ url: "https://example.com" }', [
      no('browser_navigate', 'https://user:password@example.com/', refused),
      go('browser_navigate', 'https://example.com/'),
    ]),
  ],
  R072: [
    web('http_request', '{ host: [example.com, "**.example.com"] }', [
      no('http_request', 'https://notexample.com/'),
      no('http_request', 'https://example.com.attacker.example/'),
      go('http_request', 'https://example.com/'),
      go('http_request', 'https://a.b.example.com/'),
    ]),
  ],
  R073: [
    web('fetch', '{ host: "**.example.com" }', [
      no('fetch', 'https://example.com/'),
      no('fetch', 'https://.example.com/', refused),
      go('fetch', 'https://a.example.com/'),
    ]),
    web('fetch', '{ host: "*.example.com" }', [
      go('fetch', 'https://a.example.com/'),
      no('fetch', 'https://b.a.example.com/'),
    ]),
  ],
  R074: [
    raw('fetch', '["https://example.com"]', [
      no('fetch', 'https://attacker.example.net?=.example.com'),
      no('fetch', 'https://attacker.example.net/.example.com'),
      no('fetch', 'https://attacker.example.net#example.com'),
      go('fetch', 'https://example.com?next=attacker.example.net'),
    ]),
    web('fetch', onlyExample, [
      no('fetch', 'https://attacker.example.net?=.example.com'),
      go('fetch', 'https://example.com?a=b'),
    ]),
  ],
  R075: [
    publicWeb('fetch', [
      no('fetch', 'http://localhost./hook', 'denied'),
      no('fetch', 'http://LOCALHOST/hook', 'denied'),
      no('fetch', 'http://a.localhost/', 'denied'),
      go('fetch', 'http://localhost.example./hook'),
      go('fetch', 'http://example.com./hook'),
    ]),
  ],
  R076: [
    raw('fetch', '["https://www.example.com"]', [
      go('fetch', 'https://WWW.EXAMPLE.COM/'),
      go('fetch', 'HTTPS://www.example.com/A'),
      no('fetch', 'https://www.example.org/'),
    ]),
    raw('fetch', '["https://WWW.Example.COM"]', [go('fetch', 'https://www.example.com/')]),
  ],
  R077: [
    raw('fetch', '["https://example.com", "https://**.example.com"]', [
      go('fetch', 'https://www.example.com/docs'),
      go('fetch', 'https://example.com/docs'),
      go('fetch', 'https://a.b.example.com/'),
      no('fetch', 'http://www.example.com/docs'),
      no('fetch', 'https://wwwexample.com/docs'),
    ]),
  ],
  R078: [
    raw('fetch', '["https://**"]', [
      go('fetch', 'https://docs.example.org/api'),
      go('fetch', 'https://example.org/'),
      no('fetch', 'http://docs.example.org/api'),
      no('fetch', 'https://docs.example.org:8443/api'),
    ]),
  ],
  R079: [
    raw('browser_navigate', '["http://www.example.com/**", "https://www.example.com/**"]', [
      go('browser_navigate', 'https://www.example.com/registry/find.do?reset=1'),
      go('browser_navigate', 'http://www.example.com/'),
      go('browser_navigate', 'https://www.example.com'),
      no('browser_navigate', 'ftp://www.example.com/'),
      no('browser_navigate', 'https://example.com/registry'),
    ]),
  ],
  R080: [
    raw('fetch', '["https://**.test"]', [
      go('fetch', 'https://physics.school.test/'),
      go('fetch', 'https://school.test/'),
      no('fetch', 'https://school.example/'),
      no('fetch', 'https://schooltest/'),
    ]),
    raw('fetch', '["https://*.test"]', [
      go('fetch', 'https://school.test/'),
      no('fetch', 'https://physics.school.test/'),
    ]),
  ],
  R081: [
    raw('fetch', '["https://tool.example.net:*"]', [
      go('fetch', 'https://tool.example.net:8443/x'),
      go('fetch', 'https://tool.example.net/x'),
      no('fetch', 'https://tools.example.net:8443/x'),
    ]),
    web('fetch', '{ host: tool.example.net }', [
      go('fetch', 'https://tool.example.net:8443/x'),
      go('fetch', 'http://tool.example.net/x'),
    ]),
    raw('fetch', '["https://tool.example.net"]', [
      no('fetch', 'https://tool.example.net:8443/x'),
      go('fetch', 'https://tool.example.net:443/x'),
    ]),
  ],
  R082: [
    raw('fetch', '["http://localhost:4000"]', [
      go('fetch', 'http://localhost:4000/app/index.html'),
      no('fetch', 'http://localhost:40000/app'),
      no('fetch', 'http://localhost/app'),
      no('fetch', 'https://localhost:4000/app'),
    ]),
  ],
  R083: [
    raw('browser_navigate', '["https://example.com", "http://example.com"]', [
      no('browser_navigate', 'data:text/html,<script>1</script>'),
      no('browser_navigate', 'about:blank'),
      go('browser_navigate', 'https://example.com/data:text/html'),
    ]),
    web('browser_navigate', '{ host: example.com }', [
      no('browser_navigate', 'data:text/html,<script>1</script>', refused),
      go('browser_navigate', 'https://example.com/'),
    ]),
  ],
  R084: [
    raw('browser_navigate', '["https://example.com", "about:blank"]', [
      no('browser_navigate', "javascript:fetch('https://attacker.example.net')"),
      no('browser_navigate', 'JavaScript://example.com/%0aalert(1)', refused),
      no('browser_navigate', 'javascript://example.com/x'),
      no('browser_navigate', 'chrome://settings'),
      no('browser_navigate', 'file:///etc/passwd'),
      go('browser_navigate', 'about:blank'),
      go('browser_navigate', 'https://example.com/'),
    ]),
  ],
  R085: [
    publicWeb('web_url_read', [
      no('web_url_read', 'http://[::ffff:127.0.0.1]:6789/'),
      no('web_url_read', 'http://[::ffff:7f00:1]/'),
      no('web_url_read', 'http://0.0.0.0/'),
      no('web_url_read', 'http://[::]/'),
      no('web_url_read', 'http://[64:ff9b::a00:1]/'),
      go('web_url_read', 'http://[::ffff:8.8.8.8]:6789/'),
      go('web_url_read', 'http://[2606:4700:4700::1111]/'),
    ]),
  ],
  R086: [
    publicWeb('fetch', [
      no('fetch', 'http://2130706433:8080/'),
      no('fetch', 'http://0x7f000001/'),
      go('fetch', 'http://134744072:8080/'),
    ]),
  ],
  R087: [
    publicWeb('fetch', [
      no('fetch', 'http://017700000001:9000/x'),
      no('fetch', 'http://0177.0.0.1/x'),
      go('fetch', 'http://010.010.010.010/x'),
    ]),
  ],
  R088: [
    publicWeb('fetch', [
      no('fetch', 'http://127.1/'),
      no('fetch', 'http://10.1/'),
      no('fetch', 'http://192.168.257/'),
      go('fetch', 'http://8.8/'),
    ]),
  ],
  R089: [
    publicWeb('fetch', [
      go('fetch', 'http://134744072/'),
      go('fetch', 'http://8.8.8.8/'),
      no('fetch', 'http://167772161/'),
    ]),
  ],
  R090: [
    publicWeb('fetch', [
      no('fetch', 'http://100.64.0.1/'),
      no('fetch', 'http://169.254.169.254/latest/meta-data'),
      no('fetch', 'http://198.18.0.1/'),
      no('fetch', 'http://[fd00::1]/'),
      no('fetch', 'http://[fe80::1]/'),
      no('fetch', 'http://240.0.0.1/'),
      go('fetch', 'http://100.128.0.1/'),
      go('fetch', 'http://1.1.1.1/'),
    ]),
  ],
};
