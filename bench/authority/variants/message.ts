/** Messages that say two things at once, or something that is nearly a call. */
import { envelope } from '../line.js';
import { type Attempt, grantedIn, ownArguments } from './attempt.js';
import type { Variant } from './variant.js';

/** Whole lines: the foreign call hidden beside, behind or inside one that is permitted. */
export function otherMessages(attempt: Attempt): readonly Variant[] {
  const { call, grant, named } = attempt;
  const foreign = { name: JSON.stringify(named(call.function)), args: JSON.stringify(call.args) };
  const granted = grantedIn(attempt);
  const reader =
    grant.find(({ bindings, tool }) => bindings.length === 0 && tool !== call.function)?.tool ??
    call.function;
  const own =
    granted === undefined
      ? { name: JSON.stringify(named(reader)), args: '{}' }
      : { name: foreign.name, args: JSON.stringify(ownArguments(attempt)) };
  const meta = `"_meta":${envelope}`;
  const line = (params: string, more = '', method = 'tools/call'): string =>
    `{"jsonrpc":"2.0","id":"x","method":${JSON.stringify(method)},"params":${params}${more}}`;
  const params = (each: { readonly name: string; readonly args: string }, more = ''): string =>
    `{"name":${each.name},"arguments":${each.args},${meta}${more}}`;
  const [mine, theirs] = [params(own), params(foreign)];
  const args = foreign.args;
  const all: Readonly<Record<string, string>> = {
    'arguments twice, foreign last': line(params(own, `,"arguments":${args}`)),
    'arguments twice, foreign first': line(`{"arguments":${args},${mine.slice(1)}`),
    'arguments twice, escaped': line(params(own, `,"\\u0061rguments":${args}`)),
    'Arguments beside arguments': line(params(own, `,"Arguments":${args}`)),
    'ARGUMENTS alone': line(`{"name":${foreign.name},"ARGUMENTS":${args},${meta}}`),
    'args alone': line(`{"name":${foreign.name},"args":${args},${meta}}`),
    'input alone': line(`{"name":${foreign.name},"input":${args},${meta}}`),
    'name twice, foreign last': line(params({ ...own, args }, `,"name":${foreign.name}`)),
    'name twice, foreign first': line(`{"name":${foreign.name},${params({ ...own, args }).slice(1)}`),
    'Name beside name': line(params({ ...own, args }, `,"Name":${foreign.name}`)),
    'params twice, foreign last': line(mine, `,"params":${theirs}`),
    'params twice, foreign first': line(theirs, `,"params":${mine}`),
    'Params beside params': line(mine, `,"Params":${theirs}`),
    'method twice': line(theirs, ',"method":"tools/list"'),
    'id twice': line(theirs, ',"id":"y"'),
    'arguments as a text': line(params({ ...foreign, args: JSON.stringify(args) })),
    'arguments in a list': line(params({ ...foreign, args: `[${args}]` })),
    'arguments a number': line(params({ ...foreign, args: '1' })),
    'arguments null, foreign in _meta': line(
      `{"name":${foreign.name},"arguments":null,"_meta":${envelope.slice(0, -1)},"arguments":${args}}}`,
    ),
    'foreign in __proto__ of params': line(params(own, `,"__proto__":${theirs}`)),
    'arguments in __proto__ of params': line(
      `{"name":${foreign.name},"__proto__":{"arguments":${args}},${meta}}`,
    ),
    'foreign in __proto__ of the message': line(mine, `,"__proto__":{"params":${theirs}}`),
    'name in a list': line(params({ ...foreign, name: `[${foreign.name}]` })),
    'name an object': line(params({ ...foreign, name: `{"toString":${foreign.name}}` })),
    'a list of messages': `[${line(mine)},${line(theirs)}]`,
    'params a list': line(`[${foreign.name},${args}]`),
    'two messages in a line': line(mine) + line(theirs),
    'a comment': line(mine).replace('{', `{/*${theirs}*/`),
    'single quotes': line(theirs).replaceAll('"', "'"),
    'a byte order mark': `\ufeff${line(theirs)}`,
    'another method': line(theirs, '', 'Tools/Call'),
    'a method with a blank': line(theirs, '', 'tools/call '),
    'a method with NUL': line(theirs, '', 'tools/call\u0000'),
    'a method nearly': line(theirs, '', 'tools/callTool'),
    'an older method': line(theirs, '', 'call_tool'),
    'a result beside': line(theirs, `,"result":{}`),
    'on behalf of another': line(
      `{"name":${foreign.name},"arguments":${args},"_meta":${envelope.slice(0, -1)},"pawl/onBehalfOf":"operator"}}`,
    ),
    'as a task': line(params(foreign, ',"task":{"ttl":1000}')),
    'with an answer to a question': line(
      params(foreign, ',"inputResponses":{"a":{"action":"accept"}},"requestState":"x"'),
    ),
  };
  return Object.entries(all).map(([way, text]) => ({ way, sent: { kind: 'line', line: text } }));
}
