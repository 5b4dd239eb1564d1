/** The browser table: against the tools that the real server lists, and what its calls are answered. */
import { describe, expect, test } from 'vitest';
import { classedBy, listedBy } from '../../../../../test/drift.js';
import { type Gate, type Tools, closed, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { browser } from './browser.js';

/** Files, scripts, domains of cookies and routes: rules have to free or constrain them. */
const unclassed: Readonly<Record<string, readonly string[]>> = {
  browser_console_messages: ['filename'],
  browser_cookie_set: ['domain', 'path'],
  browser_evaluate: ['filename', 'function'],
  browser_file_upload: ['paths'],
  browser_drop: ['paths'],
  browser_find: ['filename'],
  browser_network_requests: ['filename'],
  browser_network_request: ['filename'],
  browser_pdf_save: ['filename'],
  browser_route: ['headers', 'pattern', 'removeHeaders'],
  browser_unroute: ['pattern'],
  browser_run_code_unsafe: ['code', 'filename'],
  browser_take_screenshot: ['filename'],
  browser_snapshot: ['filename'],
  browser_storage_state: ['filename'],
  browser_set_storage_state: ['filename'],
  browser_start_video: ['filename'],
};

describeWithShared('the table of browser', 'data/mcp-tools', (folder) => {
  test('[S002.table-drift] lists exactly the tools of the server, and classes all but files, scripts and routes', () => {
    expect(classedBy(browser, unclassed)).toEqual(listedBy(folder, browser.packages[0] ?? ''));
  });
});

const text = { type: 'string' };
const tools: Tools = {
  web: {
    browser_navigate: closed({ url: text }, 'url'),
    browser_click: closed({ element: text, target: text }, 'target'),
    browser_snapshot: closed({ target: text, filename: text }),
    browser_evaluate: closed({ element: text, function: text }, 'function'),
    browser_tabs: closed({ action: text, url: text }, 'action'),
    browser_file_upload: closed({ paths: { type: 'array', items: text } }),
  },
};

function under(lists: string): Gate {
  return gate(
    `pawl: 1\nservers: { web: { command: x, connector: browser } }\nagents: { a: { ${lists} } }\n`,
    tools,
  );
}

describe('[P.connector.browser] calls of a browser', () => {
  test('go to urls and hosts that are allowed', () => {
    const own = under(
      'allow: [ { tools: ["web/*"], where: { host: ["**.x.example"] } }, { tools: ["web/*"], where: { url: "https://y.example/a/**" } } ]',
    );
    expect(own.permits('web/browser_navigate', { url: 'https://a.x.example/' })).toBe(true);
    expect(own.permits('web/browser_navigate', { url: 'https://y.example/a/b' })).toBe(true);
    expect(own.permits('web/browser_navigate', { url: 'https://y.example/b' })).toBe(false);
    expect(own.permits('web/browser_navigate', { url: 'file:///etc/passwd' })).toBe(false);
    expect(own.permits('web/browser_click', { target: 'e1' })).toBe(false);
  });

  test('act by action', () => {
    const own = under('allow: [ { tools: ["web/*"], where: { actions: [read, click] } } ]');
    expect(own.permits('web/browser_click', { target: 'e1' })).toBe(true);
    expect(own.call('web/browser_click', { target: 'e1' }).args).toEqual({ target: 'e1' });
    expect(own.permits('web/browser_snapshot', {})).toBe(true);
    expect(own.permits('web/browser_snapshot', { filename: '/etc/x' })).toBe(false);
    expect(own.permits('web/browser_evaluate', { function: '() => 1' })).toBe(false);
    expect(own.permits('web/browser_navigate', { url: 'https://x.example/' })).toBe(false);
  });

  test('open a tab at a url only where going there is allowed', () => {
    const own = under(
      'allow: [ { tools: ["web/*"], where: { actions: [tabs] } }, { tools: ["web/*"], where: { actions: [navigate], host: x.example } } ]',
    );
    expect(own.permits('web/browser_tabs', { action: 'list' })).toBe(true);
    expect(own.permits('web/browser_tabs', { action: 'new', url: 'https://x.example/' })).toBe(true);
    expect(own.permits('web/browser_tabs', { action: 'new', url: 'https://m.example/' })).toBe(false);
  });

  test('stay within ceilings of hosts and actions', () => {
    const own = under(
      'ceiling: { browser: { host: x.example, actions: [navigate, read] } }, allow: [ { tools: ["web/*"] } ]',
    );
    expect(own.permits('web/browser_navigate', { url: 'https://x.example/' })).toBe(true);
    expect(own.call('web/browser_navigate', { url: 'https://m.example/' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
    });
    expect(own.call('web/browser_click', { target: 'e1' }).constraint).toBe(
      'browser.actions (navigate, read)',
    );
    expect(own.permits('web/browser_snapshot', {})).toBe(true);
  });

  test('upload files and run scripts only where a rule frees the arguments', () => {
    const bare = under('allow: [ { tools: ["web/*"], where: { actions: [upload, script] } } ]');
    expect(bare.permits('web/browser_file_upload', { paths: ['/etc/x'] })).toBe(false);
    const freed = under(
      'allow: [ { tools: [web/browser_file_upload], where: { actions: [upload], args.paths: { path: [/data/**] } } } ]',
    );
    expect(freed.permits('web/browser_file_upload', { paths: ['/data/x'] })).toBe(true);
    expect(freed.permits('web/browser_file_upload', { paths: ['/data/x', '/etc/x'] })).toBe(false);
  });
});
