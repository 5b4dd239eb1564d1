/** Reading the named limits of an agent. */
import { type Expect, type Member, type Spot, entryOf } from '../ground/index.js';
import type { LimitSource } from './document.js';
import { limitKeys } from './keys.js';
import { readTools, readVerbs, readWhere } from './read-rule.js';

const nameForm = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u;

/** Reads all of them. */
export function readUseLimits(expect: Expect, spot: Spot): readonly LimitSource[] {
  return expect.members(spot).flatMap((entry) => readUseLimit(expect, entry) ?? []);
}

function readUseLimit(expect: Expect, { key, keyAt, spot }: Member): LimitSource | undefined {
  const { path } = spot;
  if (!nameForm.test(key)) {
    const allowed = 'the name of a limit: letters, digits, _ . -';
    return expect.problem(keyAt, path, `limit name ${JSON.stringify(key)}`, allowed);
  }
  const map = expect.mapping(spot, limitKeys);
  if (map === undefined) return undefined;
  const at = (name: keyof typeof limitKeys, allowed: string): Spot | undefined => {
    const entry = entryOf(map, name);
    if (entry !== undefined) return { node: entry.value, path: `${path}.${name}` };
    return expect.problem(map.at, path, `no ${name}`, allowed);
  };
  const several = 'a whole number of at least 1';
  at('tools', 'tools: a list of server/tool');
  const [uses, per] = [at('uses', `uses: ${several}`), at('per', `per: ${limitKeys.per.words.join(', ')}`)];
  const read = {
    uses: uses && expect.count(uses, 1, several),
    per: per && expect.oneOf(per, limitKeys.per.words),
    tools: readTools(expect, map, spot),
    verbs: readVerbs(expect, map, spot),
    where: readWhere(expect, map, spot),
  };
  if (read.uses === undefined || read.per === undefined || read.tools === undefined) return undefined;
  const { tools, verbs, where } = read;
  return {
    name: key,
    uses: read.uses,
    per: read.per,
    region: {
      at: keyAt,
      path,
      tools,
      verbs,
      where,
      level: 'once',
      reach: 'below',
      uses: undefined,
      budgetKey: undefined,
    },
  };
}
