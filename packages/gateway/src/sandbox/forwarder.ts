/** The program that runs before a sandboxed one which may use the egress proxy. */

/**
 * Text of a program for node, with the arguments SOCKET PROGRAM ARGS…: it listens on the sandbox's own loopback, passes every
 * connection on to the proxy's socket, tells the program of it by the usual variables, and ends as the program ends.
 */
export const forwarder: string = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [socket, program, ...args] = process.argv.slice(1);
const server = net.createServer((near) => {
  const far = net.connect(socket);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far);
  far.pipe(near);
});
server.listen(0, '127.0.0.1', () => {
  const proxy = 'http://127.0.0.1:' + server.address().port;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = proxy;
  const child = spawn(program, args, { stdio: 'inherit', env });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
});
`;
