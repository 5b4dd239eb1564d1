/** Own cases of the contract in the form of the worked ones, each one sentence of it in both directions. */
import { describe, expect, test } from 'vitest';
import { casesOf, wrong } from './score.js';

const cases = casesOf('own');

/** The cases whose ids begin so. */
function run(...chapters: readonly string[]): void {
  const chosen = cases.filter(({ id }) => chapters.some((chapter) => id.startsWith(chapter)));
  test.each(chosen.map((one) => [one.id, one.about, one] as const))('%s: %s', async (_id, _about, one) => {
    expect(await wrong(one)).toEqual([]);
  });
}

describe('[P.policy.unknown-key] documents', () => run('O1'));
describe('[P.level.three-sets] [P.level.permit-beats-ask] levels', () => run('O2'));
describe('[P.rule.closed-world] [P.rule.glob] [P.rule.reach] rules', () => run('O3'));
describe('[P.surface.at-names] names that begin with @', () => run('O333'));
describe('[P.kind.combinations] [P.kind.absent] [P.fill.single] constraints and filling', () => run('O4'));
describe('[P.kind.path-glob] [P.kind.path-lexical] paths', () => run('O5'));
describe('[P.connector.filesystem] the file connector', () => run('O6'));
describe('[S002.narrow-only-narrows] [P.connector.ceiling-junk] ceilings and narrowings', () => run('O7'));
describe('[S002.executor-decides] [P.decode.case-twin] callers and messages', () => run('O8'));
describe('[P.decide.cases] what a hostile and what an ordinary user sends', () => run('O9'));

describe('[P.connector.declared] [P.connector.group] [P.connector.omitted] connectors of one’s own', () =>
  run('Q1'));
describe('[P.connector.calls] dispatchers', () => run('Q2'));
describe('[P.connector.fetch] the fetch connector', () => run('Q3'));
describe('[P.kind.host] [P.kind.url] [P.kind.email] hosts, urls and addresses', () => run('Q4'));
describe('[P.kind.single] single, and ceilings on fields', () => run('Q5'));
describe('[P.policy.references] sets and facts', () => run('Q6'));
describe('[P.kind.win32] servers on win32', () => run('Q7'));
describe('[P.kind.polarity] where letters count', () => run('Q8'));
describe('[S002.narrow-only-narrows] several servers and instances', () => run('Q9'));
describe('[P.kind.command] command lines', () => run('C1'));
describe('[P.connector.terminal] [P.kind.sql] [P.connector.group] connectors, dispatchers and SQL', () =>
  run('C2'));

test('every case is run', () => {
  expect(cases.filter(({ id }) => !/^(?:[OQ][1-9]|C[12])\d\d$/u.test(id)).map(({ id }) => id)).toEqual([]);
});
