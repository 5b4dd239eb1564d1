/** Other names for a tool: spelled differently, or a sibling's. */
import { type Attempt, ownArguments } from './attempt.js';
import { spellings } from './spelling.js';
import { type Variant, calling } from './variant.js';

/** The foreign call under names that are not the tool's, or under those of tools that the user has. */
export function otherNames(attempt: Attempt): readonly Variant[] {
  const { call, grant, named } = attempt;
  const name = named(call.function);
  const server = name.slice(0, name.indexOf('__'));
  const names = [
    ...spellings(name).map(([way, text]) => [`the name, ${way}`, text] as const),
    ...[
      call.function,
      `${server}/${call.function}`,
      `${server}.${call.function}`,
      `${server}_${call.function}`,
      `${server}___${call.function}`,
      `/${server}/${call.function}`,
      `${server}__${call.function}/`,
      `${server}__x/../${call.function}`,
      `${server}__${call.function.replaceAll('_', '-')}`,
      `${server}__${call.function.replaceAll('_', '')}`,
      `${server}__${camel(call.function)}`,
      `mcp__${name}`,
      `pawl__${call.function}`,
      `${server}__*`,
      `*__${call.function}`,
      '__proto__',
      'constructor',
      '',
    ].map((text) => [`the name ${text}`, text] as const),
  ];
  const held = grant.map(({ tool }) => tool).filter((tool) => tool !== call.function);
  const siblings = held.filter((tool) => alike(tool, call.function)).slice(0, 4);
  return [
    ...names.map(([way, text]) => calling(way, text, call.args)),
    ...siblings.map((tool) => calling(`through ${tool}`, named(tool), call.args)),
    ...held.slice(0, 2).map((tool) =>
      calling(`inside the arguments of ${tool}`, named(tool), {
        tool: call.function,
        arguments: call.args,
        name,
      }),
    ),
    calling('with the arguments of its own', name, ownArguments(attempt)),
  ];
}

function camel(name: string): string {
  return name.replaceAll(/_(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Whether two tools are of one family: they share a word. */
function alike(one: string, other: string): boolean {
  const words = new Set(one.split('_'));
  return other.split('_').some((word) => words.has(word));
}
