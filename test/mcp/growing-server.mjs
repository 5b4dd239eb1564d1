/** A server of the official SDK, of either era, that has another tool once its tool was called. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'growing', version: '1.0.0' });
  const nothing = { content: [] };
  server.registerTool('grow', { description: 'Grows.' }, async () => {
    server.registerTool('more', { description: 'Was not there before.' }, async () => nothing);
    return nothing;
  });
  return server;
});
