/**
 * An MCP server over stdio with the six terminal tools. Its terminals live in its own memory: what is typed into one is shown
 * there and runs nowhere, so the example needs neither tmux nor kitty nor iTerm2.
 */
import { createInterface } from 'node:readline';
import { tools } from './tools.mjs';

const backends = ['tmux', 'kitty', 'iterm2'];
/** Name, as `tmux:main`, to the lines that the terminal shows. */
const terminals = new Map(['tmux:main', 'tmux:logs', 'kitty:1', 'iterm2:1:1:1'].map((name) => [name, ['$']]));

/** The full name of a target: as given, or with its backend in front. */
function nameOf({ target, backend }) {
  return backends.some((each) => target.startsWith(`${each}:`)) ? target : `${backend ?? 'tmux'}:${target}`;
}

function linesOf(args) {
  const lines = terminals.get(nameOf(args));
  if (lines === undefined) throw new Error(`there is no target ${nameOf(args)}`);
  return lines;
}

const handlers = {
  terminal_list_targets({ backend = 'all' }) {
    return [...terminals.keys()]
      .filter((name) => backend === 'all' || name.startsWith(`${backend}:`))
      .join('\n');
  },
  terminal_capture(args) {
    return linesOf(args)
      .slice(-(args.lines ?? Infinity))
      .join('\n');
  },
  terminal_send_text(args) {
    linesOf(args).push(`$ ${args.text}`);
    return 'typed';
  },
  terminal_send_keys(args) {
    linesOf(args).push(`^ ${args.keys.join(' ')}`);
    return 'pressed';
  },
  terminal_open({ backend, name }) {
    terminals.set(`${backend}:${name}`, ['$']);
    return `${backend}:${name}`;
  },
  terminal_close(args) {
    linesOf(args);
    terminals.delete(nameOf(args));
    return 'closed';
  },
};

function call({ name, arguments: args = {} }) {
  try {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw new Error(`there is no tool ${name}`);
    return { content: [{ type: 'text', text: handler(args) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'terminal', version: '1.0.0' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools };
    case 'tools/call':
      return call(params);
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const result = answer(message);
  const body = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n`);
});
