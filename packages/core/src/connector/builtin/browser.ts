/** Connector `browser`: @playwright/mcp; fields `url`, `host` (the host of that url) and `actions`. */
import type { Verb } from '../../authority/index.js';
import type { AccessRow, ConnectorTable, ToolTable } from '../table.js';

/** What a tool does in the page or with the browser; one word a tool. */
const actions = [
  'navigate',
  'read',
  'click',
  'type',
  'upload',
  'dialog',
  'script',
  'storage',
  'network',
  'tabs',
  'record',
  'emulate',
  'wait',
] as const;
type Action = (typeof actions)[number];

function row(verb: Verb, action: Action, fields: AccessRow['fields'] = {}): AccessRow {
  const omitted = { actions: { value: action } };
  return {
    verb,
    extent: 'exact',
    fields: { actions: [], ...fields },
    omitted,
    needed: true,
    namedOnly: false,
  };
}

/** A tool that acts on the page that is open, wherever that is. */
function acting(verb: Verb, action: Action, ...payload: readonly string[]): ToolTable {
  return { verb, accesses: [row(verb, action)], payload };
}

const url = { argument: ['url'] };
const address: AccessRow['fields'] = { url: [url], host: [{ ...url, ofUrl: true }] };
const onElement = ['element', 'target'];

/**
 * Going somewhere is bounded by url and host, acting by action: rules on urls say nothing of the page that is open. Names of
 * files, scripts, cookies' domains and routes are not classed: a rule has to free or constrain them.
 */
export const browser: ConnectorTable = {
  name: 'browser',
  version: 1,
  packages: ['@playwright/mcp'],
  fields: {
    url: { kind: 'url' },
    host: { kind: 'host' },
    actions: { kind: 'oneOf', vocabulary: { values: actions } },
  },
  unlisted: 'refuse',
  tools: {
    browser_navigate: { verb: 'connect', accesses: [row('connect', 'navigate', address)], payload: [] },
    browser_navigate_back: acting('connect', 'navigate'),
    browser_tabs: {
      verb: 'execute',
      accesses: [row('execute', 'tabs'), { ...row('connect', 'navigate', address), needed: false }],
      payload: ['action', 'index'],
    },
    browser_close: acting('delete', 'tabs'),
    browser_resize: acting('write', 'emulate', 'width', 'height'),
    browser_emulate_media: acting(
      'write',
      'emulate',
      'colorScheme',
      'reducedMotion',
      'forcedColors',
      'contrast',
      'media',
    ),
    browser_get_config: acting('read', 'read'),
    browser_console_messages: acting('read', 'read', 'level', 'all'),
    browser_find: acting('read', 'read', 'text', 'regex'),
    browser_snapshot: acting('read', 'read', 'target', 'depth', 'boxes'),
    browser_take_screenshot: acting('read', 'read', ...onElement, 'type', 'fullPage', 'scale'),
    browser_pdf_save: acting('read', 'read'),
    browser_generate_locator: acting('read', 'read', ...onElement),
    browser_verify_element_visible: acting('read', 'read', 'role', 'accessibleName'),
    browser_verify_text_visible: acting('read', 'read', 'text'),
    browser_verify_list_visible: acting('read', 'read', ...onElement, 'items'),
    browser_verify_value: acting('read', 'read', 'type', ...onElement, 'value'),
    browser_highlight: acting('read', 'read', ...onElement, 'style'),
    browser_hide_highlight: acting('read', 'read', ...onElement),
    browser_annotate: acting('read', 'read'),
    browser_wait_for: acting('read', 'wait', 'time', 'text', 'textGone'),
    browser_resume: acting('execute', 'wait', 'step', 'location'),
    browser_click: acting('execute', 'click', ...onElement, 'doubleClick', 'button', 'modifiers'),
    browser_hover: acting('execute', 'click', ...onElement),
    browser_drag: acting('execute', 'click', 'startElement', 'startTarget', 'endElement', 'endTarget'),
    browser_mouse_move_xy: acting('execute', 'click', 'x', 'y'),
    browser_mouse_click_xy: acting('execute', 'click', 'x', 'y', 'button', 'clickCount', 'delay'),
    browser_mouse_drag_xy: acting('execute', 'click', 'startX', 'startY', 'endX', 'endY'),
    browser_mouse_down: acting('execute', 'click', 'button'),
    browser_mouse_up: acting('execute', 'click', 'button'),
    browser_mouse_wheel: acting('execute', 'click', 'deltaX', 'deltaY'),
    browser_select_option: acting('execute', 'type', ...onElement, 'values'),
    browser_fill_form: acting('execute', 'type', 'fields'),
    browser_press_key: acting('execute', 'type', 'key'),
    browser_type: acting('execute', 'type', ...onElement, 'text', 'submit', 'slowly'),
    browser_handle_dialog: acting('execute', 'dialog', 'accept', 'promptText'),
    browser_file_upload: acting('send', 'upload'),
    browser_drop: acting('send', 'upload', ...onElement, 'data'),
    browser_evaluate: acting('execute', 'script', ...onElement),
    browser_run_code_unsafe: acting('execute', 'script'),
    browser_cookie_list: acting('read', 'storage', 'domain', 'path'),
    browser_cookie_get: acting('read', 'storage', 'name'),
    browser_cookie_set: acting(
      'write',
      'storage',
      'name',
      'value',
      'expires',
      'httpOnly',
      'secure',
      'sameSite',
    ),
    browser_cookie_delete: acting('delete', 'storage', 'name'),
    browser_cookie_clear: acting('delete', 'storage'),
    browser_localstorage_list: acting('read', 'storage'),
    browser_localstorage_get: acting('read', 'storage', 'key'),
    browser_localstorage_set: acting('write', 'storage', 'key', 'value'),
    browser_localstorage_delete: acting('delete', 'storage', 'key'),
    browser_localstorage_clear: acting('delete', 'storage'),
    browser_sessionstorage_list: acting('read', 'storage'),
    browser_sessionstorage_get: acting('read', 'storage', 'key'),
    browser_sessionstorage_set: acting('write', 'storage', 'key', 'value'),
    browser_sessionstorage_delete: acting('delete', 'storage', 'key'),
    browser_sessionstorage_clear: acting('delete', 'storage'),
    browser_storage_state: acting('read', 'storage'),
    browser_set_storage_state: acting('write', 'storage'),
    browser_network_requests: acting('read', 'network', 'static', 'filter'),
    browser_network_request: acting('read', 'network', 'index', 'part'),
    browser_network_state_set: acting('write', 'network', 'state'),
    browser_route: acting('write', 'network', 'status', 'body', 'contentType'),
    browser_route_list: acting('read', 'network'),
    browser_unroute: acting('write', 'network'),
    browser_start_recording: acting('write', 'record'),
    browser_stop_recording: acting('write', 'record'),
    browser_start_tracing: acting('write', 'record'),
    browser_stop_tracing: acting('write', 'record'),
    browser_start_video: acting('write', 'record', 'size', 'fps', 'cursor'),
    browser_stop_video: acting('write', 'record'),
    browser_video_chapter: acting('write', 'record', 'title', 'description', 'duration'),
    browser_video_show_actions: acting('write', 'record', 'duration', 'position', 'cursor', 'style'),
    browser_video_hide_actions: acting('write', 'record'),
  },
};
