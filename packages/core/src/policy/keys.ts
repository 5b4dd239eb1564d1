/** The keys of the policy document, section by section. */
import type { KeyTable } from '../ground/index.js';

/** The document itself. */
export const documentKeys = {
  pawl: { help: 'The version of the language: `1`. Required.' },
  servers: { help: 'The MCP servers, by name.' },
  sets: { help: 'Named lists of scalars, used as `{ set: NAME }`.' },
  facts: { help: 'Named JSON files, read when the document is loaded, used as `{ fact: NAME.KEY }`.' },
  connectors: { help: 'Connectors of your own: how the arguments of tools carry authority.' },
  agents: { help: 'Who may do what.' },
  instances: { help: 'Agents acting for somebody, as `AGENT/NAME`; they narrow what the agent may do.' },
  skills: { help: 'Names that skills use, whether unsigned ones load, and the trust file.' },
  consent: { help: 'How long an approval lasts, and who may give it.' },
  sessions: { help: 'How long a session and its handles live.' },
  identity: { help: 'Agents that prove who they are with OAuth.', toCome: true },
  exposure: {
    help: 'How tools are named to clients: `server__tool`, or a name that says nothing. Default `readable`.',
    words: ['readable', 'opaque'],
  },
  disclose: {
    help: 'Whether refusals show the allowed values. Default: values of ceilings and of lists of at most 8.',
    words: ['names', 'values'],
  },
  audit: { help: 'What the audit log keeps.' },
  results: { help: 'Bounds of what servers answer.' },
  reload: { help: 'What a changed policy means for calls that wait.' },
} as const;

/** One server. */
export const serverKeys = {
  command: { help: 'The program to start. `pawl run` needs it or `url`; `decide` and `lint` do without.' },
  url: {
    help: 'The address of a server that is reached over Streamable HTTP, instead of `command`: `https://…`, or `http://…`. Redirects are not followed.',
  },
  args: { help: 'Arguments of the program, a list of texts.' },
  cwd: { help: 'The folder in which the program is started, relative to the document.' },
  env: {
    help: 'Variables of the program, `NAME: text`, or `NAME: { secret: … }` for a stored secret.',
  },
  headers: {
    help: 'Headers of every request, with `url`: `NAME: text`, or `NAME: { secret: … }` for a stored secret, which is the whole value.',
  },
  auth: { help: 'How Pawl proves to a server at a `url` for whom it asks, instead of a header.' },
  connector: {
    help: 'The connector that reads the calls, built in or declared. Inferred only for an exact package whose tools are all in its table.',
  },
  root: {
    help: 'The folder from which relative paths are meant, in rules and in calls; relative to the document.',
  },
  home: { help: 'The folder that a leading `~/` means. Without it such a path is refused.' },
  case: {
    help: 'Whether letters of paths count. Default `sensitive`, on win32 `insensitive`.',
    words: ['sensitive', 'insensitive'],
  },
  platform: { help: 'Whose paths the server takes. Default `posix`.', words: ['posix', 'win32'] },
  sandbox: {
    help: 'What the process itself may reach, in a sandbox of bubblewrap; without that, or where it does not refuse what it should, the server has no tools. `none`, the default: the process is not confined.',
  },
  share: {
    help: 'Who shares a process: nobody but one principal.',
    words: ['principal', 'stateless'],
    partToCome: '`stateless`',
  },
  surfaces: {
    help: 'MCP surfaces beside tools that are open: `[]`, none.',
    partToCome: 'a list that is not empty',
  },
} as const;

/** A value of `env` or `headers` that does not stand in the document. */
export const secretKeys = {
  secret: {
    help: 'The name of a stored secret: `pawl secrets set NAME` stores its value. Without it the server is absent.',
  },
} as const;

/** `auth` of a server. */
export const authKeys = {
  oauth: { help: 'Tokens of an issuer, one for each principal: `pawl secrets login` gets them. Required.' },
} as const;

/** `oauth` of a server. */
export const oauthKeys = {
  issuer: { help: 'The url of the issuer, `https://…`; its metadata has to name the very same. Required.' },
  scopes: { help: 'What is asked for, a list of words. Default: none.' },
} as const;

/** `sandbox` of a server. */
export const sandboxKeys = {
  read: { help: 'Folders and files that it may read, a list; relative to the document.' },
  write: { help: 'Folders and files that it may change as well.' },
  network: { help: '`none`, the default, or the hosts that it may connect to.' },
} as const;

/** `network` of a sandbox. */
export const networkKeys = {
  hosts: {
    help: 'Host patterns. Programs reach them through a proxy that `HTTP_PROXY` and its kin name; there is no other way out.',
  },
} as const;

/** One fact. */
export const factKeys = {
  file: { help: 'A JSON file, relative to the document. Required.' },
} as const;

/** One agent. */
export const agentKeys = {
  description: { help: 'For people; it changes nothing.' },
  ceiling: { help: 'What every call has to stay within, by connector or by server. It only narrows.' },
  allow: { help: 'Rules of which one has to hold for each access of a call.' },
  ask: { help: 'Rules whose calls need an approval although a rule allows them.' },
  deny: { help: 'Rules whose calls are refused, whatever allows them.' },
  limits: { help: 'Numbers of calls by name: in a session, for the executor, or a day.' },
  delegate: {
    help: 'The right to hand on what the agent may do, or less of it, to subagents. Without it there is none.',
  },
  skills: { help: 'What each skill may do for the agent, by the name of the skill.' },
  instances: {
    help: 'Whether the agent acts through its instances only. Default `required` where it has any.',
    words: ['required', 'optional'],
  },
} as const;

/** `delegate` of an agent. */
export const delegateKeys = {
  depth: {
    help: 'How often what is handed on may be handed on again, the first time included: a whole number; 0 is no right. Required.',
  },
} as const;

/** One instance. */
export const instanceKeys = {
  narrow: { help: 'As `ceiling`, for this instance: what its calls have to stay within as well.' },
} as const;

/** A rule. */
export const ruleKeys = {
  tools: {
    help: 'A list of `server/tool`; `*` in the tool part stands for any characters. The server is named exactly. Needed in `allow`.',
    partToCome: '`server/@resource` and `server/@prompt:NAME`',
  },
  verbs: { help: 'Only accesses with one of these verbs.' },
  where: { help: 'Fields that all have to hold; without it the rule is unconstrained.' },
  uses: {
    help: 'How many calls the rule may admit in a session: a whole number of at least 1. Default: any number.',
  },
  ask: {
    help: 'The calls of the rule need an approval: each call, or identical calls once a session. Default in the list `ask`: `once`.',
    words: ['once', 'session'],
  },
  reach: {
    help: 'Whether a tool that goes below a path is denied for what is beneath it (`below`, the default), or for the path named only.',
    words: ['below', 'named'],
  },
} as const;

/** The keys of a rule, by the list in which it stands; `grant` is that of a skill. */
export const ruleKeysIn: Readonly<Record<'allow' | 'ask' | 'deny' | 'grant', KeyTable>> = Object.freeze({
  allow: keysOf('tools', 'verbs', 'where', 'uses', 'ask'),
  ask: keysOf('tools', 'verbs', 'where', 'ask'),
  deny: keysOf('tools', 'verbs', 'where', 'reach'),
  grant: keysOf('tools', 'verbs', 'where'),
});

function keysOf(...names: readonly (keyof typeof ruleKeys)[]): KeyTable {
  return Object.fromEntries(names.map((name) => [name, ruleKeys[name]]));
}

/** One named limit of an agent. */
export const limitKeys = {
  tools: { help: 'As in a rule. Required.' },
  verbs: { help: 'Only accesses with one of these verbs.' },
  where: { help: 'Fields that all have to hold; a call is charged when any access of it meets them.' },
  uses: { help: 'How many calls: a whole number of at least 1. Required.' },
  per: {
    help: 'What is counted together: one session, the executor for good, or the executor in one UTC day. Required.',
    words: ['session', 'executor', 'day'],
  },
} as const;

/** What one skill may do for an agent. */
export const skillGrantKeys = {
  grant: { help: 'Rules as in `allow`: what the skill may do at most. Required.' },
  mode: {
    help: 'A skill that asks for more is not loaded (`fail_closed`, the default), or its tools that need more are masked (`fail_visible`).',
    words: ['fail_closed', 'fail_visible'],
  },
} as const;

/** `skills` of the document. */
export const skillsKeys = {
  names: {
    help: 'Names that skills use in `allowed-tools`, with the tool that each means: `Bash: shell/run`.',
  },
  unsigned: {
    help: 'Whether a skill that nobody signed is loaded (`sandbox`): its tools run in the sandbox, and nothing is granted to it. Default `refuse`.',
    words: ['refuse', 'sandbox'],
  },
  trust: { help: 'The trust file: who may sign which skills. Relative to the document.' },
} as const;

/** `consent`. */
export const consentKeys = {
  expires: { help: 'How long an ask waits, and an approval holds, as `30s`, `10m`. Default `10m`.' },
  approver: {
    help: 'Who may answer an ask. Default `[operator, approver]`; an operator may whatever an approver may; `client`: the person at the MCP client that makes the call, where it can show questions.',
    words: ['operator', 'approver', 'client'],
  },
} as const;

/** `sessions`. */
export const sessionsKeys = {
  ttl: { help: 'As `30s`, `10m`, `12h`, `7d`. Default `12h`.' },
} as const;

/** `audit`. */
export const auditKeys = {
  arguments: {
    help: 'What is kept of arguments: a digest, the fields that rules can name (default), or all of them.',
    words: ['digest', 'authority', 'full'],
  },
} as const;

/** `results`. */
export const resultsKeys = {
  maxBytes: { help: 'The largest result, in bytes; a larger one is replaced as a whole. Default 262144.' },
} as const;

/** `reload`. */
export const reloadKeys = {
  posture: {
    help: 'Whether a call that waited is admitted afresh before it is handed over (default), or goes on under the policy that admitted it.',
    words: ['recheck', 'bind'],
  },
} as const;
