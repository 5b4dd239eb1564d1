/** Branded ids: every id that crosses a door has its own type and one constructor beside its parser. */

declare const brand: unique symbol;
type Brand<T, N extends string> = T & { readonly [brand]: N };

/** Name of a server in the policy document: `[a-z][a-z0-9-]*`. */
export type ServerName = Brand<string, 'ServerName'>;
/** `server/tool`: the first `/` splits; the tool part keeps any further `/`. */
export type ToolName = Brand<string, 'ToolName'>;
/** Name of an agent in the policy document. */
export type AgentName = Brand<string, 'AgentName'>;
/** Who authority is held by: an agent (`reporter`) or an agent's instance (`reporter/alice`). */
export type ExecutorId = Brand<string, 'ExecutorId'>;
/** One opened session; opened by a presented credential, never by a connection. */
export type SessionId = Brand<string, 'SessionId'>;
/** One capability (a name for authority pinned to a generation). */
export type CapId = Brand<string, 'CapId'>;
/** One mediated call, allowed or refused; the id that `pawl explain` takes. */
export type CallId = Brand<string, 'CallId'>;
/** Identity of a store; part of every generation. */
export type StoreId = Brand<string, 'StoreId'>;
/** Unguessable name of a mounted actor in one session: `/object/<26 base32 characters>`. */
export type Handle = Brand<string, 'Handle'>;
/** Lower-case hexadecimal SHA-256. */
export type Digest = Brand<string, 'Digest'>;
/** Public part of a credential, safe to log. */
export type KeyId = Brand<string, 'KeyId'>;

const serverPattern = /^[a-z][a-z0-9-]*$/u;
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u;
const toolPattern = /^[A-Za-z0-9_./-]+$/u;
const handlePattern = /^\/object\/[a-z2-7]{26}$/u;

/** A server name, or undefined when the text is none. */
export function parseServerName(text: string): ServerName | undefined {
  return serverPattern.test(text) ? (text as ServerName) : undefined;
}

/** An agent name (letters, digits, `_ . -`, no slash), or undefined when the text is none. */
export function parseAgentName(text: string): AgentName | undefined {
  return agentPattern.test(text) ? (text as AgentName) : undefined;
}

/** The executor that an agent, or an instance of it (the part after the slash), acts as. */
export function executorId(agent: AgentName, instance?: string): ExecutorId {
  return (instance === undefined ? agent : `${agent}/${instance}`) as ExecutorId;
}

/** `server/tool`, or undefined when either part is malformed. Tool characters: letters, digits, `_ - . /`. */
export function parseToolName(text: string): ToolName | undefined {
  const cut = text.indexOf('/');
  if (cut < 0) return undefined;
  const tool = text.slice(cut + 1);
  if (!serverPattern.test(text.slice(0, cut)) || !mountableTool(tool)) return undefined;
  return text as ToolName;
}

/** Whether an upstream tool may be mounted under its own name (never one that begins with `@`). */
export function mountableTool(tool: string): boolean {
  return toolPattern.test(tool);
}

/** Joins a server and one of its tools; the tool name must be mountable. */
export function toolName(server: ServerName, tool: string): ToolName {
  return `${server}/${tool}` as ToolName;
}

/** The two parts of a tool name. */
export function splitToolName(name: ToolName): { readonly server: ServerName; readonly tool: string } {
  const cut = name.indexOf('/');
  return { server: name.slice(0, cut) as ServerName, tool: name.slice(cut + 1) };
}

/** A handle, or undefined when the text has not the shape of one. Says nothing about whether it is known. */
export function parseHandle(text: string): Handle | undefined {
  return handlePattern.test(text) ? (text as Handle) : undefined;
}

/** Wraps 26 base32 characters (128 random bits) as a handle. */
export function handleFrom(base32: string): Handle {
  return `/object/${base32}` as Handle;
}

/** Marks ids made by this process or read back from its store. */
export const mintId = {
  session: (text: string): SessionId => text as SessionId,
  cap: (text: string): CapId => text as CapId,
  call: (text: string): CallId => text as CallId,
  store: (text: string): StoreId => text as StoreId,
  digest: (hex: string): Digest => hex as Digest,
  key: (text: string): KeyId => text as KeyId,
  executor: (text: string): ExecutorId => text as ExecutorId,
  server: (text: string): ServerName => text as ServerName,
} as const;
