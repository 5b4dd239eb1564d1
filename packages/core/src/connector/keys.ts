/** The keys of declared connectors. */

/** One connector. */
export const connectorKeys = {
  fields: { help: 'The names that rules use, each with its kind.' },
  tools: { help: 'What is said of each tool, by its name on the server.' },
  unlisted: {
    help: 'Tools that are not listed: absent (default), or read by their raw arguments.',
    words: ['refuse', 'raw'],
  },
} as const;

/** One field. */
export const fieldKeys = {
  kind: {
    help: 'How its values are read. Required.',
    words: ['oneOf', 'path', 'host', 'url', 'email', 'command', 'sql'],
  },
  values: { help: 'With `oneOf`: everything that the field can hold.' },
  wildcard: { help: 'With `values`: the value that stands for all of them.' },
} as const;

/** One tool. */
export const toolKeys = {
  verb: {
    help: 'What a call does. Required with `reads`; of a tool without accesses the verb of the call itself.',
  },
  reads: { help: '`FIELD: SOURCE`: one access with `verb`; a call has to name its fields, see `omitted`.' },
  accesses: { help: 'A list of further accesses; one whose fields are left out is not made.' },
  omitted: {
    help: '`FIELD: VALUE`, the wildcard, `none` (no access) or `refuse`: what leaving the field out means. Default: the default of the schema, else `refuse` for `reads` and `none` for `accesses`.',
  },
  payload: {
    help: 'Arguments that carry no authority, by name or as `args.a.b`; every other one that no row reads has to be left out or freed.',
  },
  calls: { help: 'A dispatcher: where a call holds calls of other tools, each judged as its own.' },
  extent: {
    help: 'How far the access of `reads` goes beyond what it names. Default `exact`.',
    words: ['exact', 'children', 'subtree'],
  },
  longRunning: { help: '`true`: no deadline without progress.' },
  idempotent: { help: '`true`: a call may be sent again.' },
} as const;

/** One item of `accesses`, beside its `FIELD: SOURCE`. */
export const accessKeys = {
  verb: { help: 'What the access does. Required.' },
  extent: {
    help: 'How far it goes beyond what it names. Default `exact`.',
    words: ['exact', 'children', 'subtree'],
  },
} as const;

/** A source of a field, in its long form. */
export const sourceKeys = {
  argument: {
    help: 'Its name, or a path as `args.a.b`. Required; alone it may be written without the mapping.',
  },
  prefix: { help: 'The value is what stands before this text; an argument without it carries nothing.' },
  base: {
    help: 'On a path or a command: the argument that names the folder from which a relative path is meant.',
  },
  argv: {
    help: '`true`: a value that begins with `-` is refused, because the server puts it on a command line.',
  },
  forward: {
    help: 'On a path: the server takes paths below its base as relative ones only.',
    words: ['relative'],
  },
} as const;

/** `calls` of a dispatcher. */
export const callsKeys = {
  server: { help: 'The server of the inner tools; without it a tool is named `server/tool`.' },
  each: { help: 'The array whose elements are calls; without it the arguments are one call.' },
  tool: { help: 'Where the name of the tool stands, inside `each` where that is given. Required.' },
  arguments: { help: 'Where its arguments stand. Required.' },
} as const;
