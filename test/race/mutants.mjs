/** Ways of getting dispatch and reload wrong, each as edits of the sources, and the test that must notice. */

/**
 * A change of one text of a source that occurs there exactly once.
 * @typedef {{ readonly file: string, readonly find: string, readonly replace: string }} Edit
 */

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} wrong what it gets wrong
 * @property {readonly Edit[]} edits
 * @property {string} file the test file that must notice
 * @property {string} test part of the title of the test that must fail
 */

const dispatch = 'packages/core/src/dispatch/dispatch.ts';
const lastCheck = 'packages/core/src/dispatch/last-check.ts';
const alive = 'packages/core/src/capability/alive.ts';
const activate = 'packages/core/src/reload/activate.ts';
const race = 'test/race/reload-race.test.ts';
const delegation = 'test/dispatch/delegate.test.ts';
const everything = 'whatever races, no call goes outside';
const close = 'calls and reloads alone, close together';
const fills = 'what is filled in is filled as the generation says';
const asks = 'asks, answers and budgets';

const current = 'check.admit(ports.current.peek() ?? snapshot)';

/** All of them. @type {readonly Mutant[]} */
export const mutants = [
  {
    id: 're-resolve-record',
    wrong:
      'the policy is looked up again once obligations are met, and its rules recorded as those of the pinned snapshot',
    edits: [
      {
        file: dispatch,
        find: 'const intent = log.intend(admission, obligations);',
        replace: `const again = ${current};\n  const intent = log.intend(again.kind === 'admitted' ? again : admission, obligations);`,
      },
    ],
    file: race,
    test: close,
  },
  {
    id: 're-resolve-arguments',
    wrong: 'the arguments are filled by whatever policy is in force at the hand-over',
    edits: [
      {
        file: dispatch,
        find: 'const turn = post(located.ref, ',
        replace: `const again = ${current};\n  if (again.kind === 'admitted') Object.assign(admission, { args: again.args });\n  const turn = post(located.ref, `,
      },
    ],
    file: race,
    test: fills,
  },
  {
    id: 'obligations-before-admission',
    wrong: 'a call is admitted after its obligations were met',
    edits: [
      {
        file: dispatch,
        find: 'const admission = check.admit(snapshot);',
        replace:
          "const early = check.admit(snapshot);\n  const owed = early.kind === 'refused' ? undefined : await oblige(ports, { located, admission: early, snapshot, log, request, dead });\n" +
          `  const admission = ${current};`,
      },
      {
        file: dispatch,
        find: 'const obligations = await oblige(',
        replace: 'const obligations = owed ?? await oblige(',
      },
    ],
    file: race,
    test: close,
  },
  {
    id: 'intent-not-awaited',
    wrong: 'a call is handed over before its intent is durable',
    edits: [
      { file: dispatch, find: 'await intent.durable;', replace: 'void intent.durable.catch(() => {});' },
    ],
    file: race,
    test: close,
  },
  {
    id: 'check-before-wait',
    wrong: 'the last check is made before the intent is awaited',
    edits: [
      {
        file: dispatch,
        find: 'const intent = log.intend(admission, obligations);',
        replace:
          'Object.assign(obligations, { early: check.passes(admission, obligations) });\n  const intent = log.intend(admission, obligations);',
      },
      {
        file: dispatch,
        find: 'const passes = check.passes(admission, obligations);',
        replace: 'const passes = obligations.early;',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'pin-dropped-early',
    wrong: 'the snapshot is given back at the first wait',
    edits: [{ file: dispatch, find: 'return await mediate(', replace: 'return mediate(' }],
    file: race,
    test: close,
  },
  {
    id: 'generation-not-compared',
    wrong: 'a capability lives under a generation that is not of its chain',
    edits: [{ file: alive, find: "if (!onChain) return 'generation_not_pinned';", replace: '' }],
    file: 'packages/core/src/capability/alive.test.ts',
    test: 'is dead under a chain that has another generation at its number',
  },
  {
    id: 'epoch-not-compared',
    wrong: 'a capability outlives the epoch of its executor',
    edits: [
      {
        file: alive,
        find: "if ((snapshot.epochs.get(executor) ?? 0) !== epoch) return 'generation_widened';",
        replace: 'if (executor.length + epoch < 0) return undefined;',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'revocation-not-asked',
    wrong: 'what was revoked goes on',
    edits: [{ file: alive, find: "if (revocations.covers(capability)) return 'revoked';", replace: '' }],
    file: race,
    test: everything,
  },
  {
    id: 'recheck-skipped',
    wrong: 'nothing is admitted afresh at the last check',
    edits: [
      {
        file: lastCheck,
        find: 'if (current === undefined || current === this.#admitted) return undefined;',
        replace: 'if (this.#ports !== undefined || current === undefined) return undefined;',
      },
    ],
    file: race,
    test: close,
  },
  {
    id: 'recheck-skipped-after-waiting',
    wrong: 'in posture bind a call that waited for its turn is not admitted afresh',
    edits: [
      {
        file: lastCheck,
        find: "if (posture === 'bind' && !obligations.waited) return undefined;",
        replace: "if (posture === 'bind') return undefined;",
      },
    ],
    file: race,
    test: close,
  },
  {
    id: 'other-arguments-pass',
    wrong: 'a call goes with arguments that the policy in force would not forward',
    edits: [{ file: lastCheck, find: 'deepEqualJson(before.args, now.args) &&', replace: '' }],
    file: race,
    test: fills,
  },
  {
    id: 'other-level-passes',
    wrong: 'a call goes without the approval that the policy in force wants',
    edits: [{ file: lastCheck, find: 'lower(now.level, level) === level &&', replace: '' }],
    file: race,
    test: close,
  },
  {
    id: 'freeze-not-asked',
    wrong: 'a call that waits goes on although its executor was frozen meanwhile',
    edits: [
      {
        file: lastCheck,
        find: 'if (stopped !== undefined) return attenuatedAway(',
        replace: 'if (stopped?.code === undefined && stopped !== undefined) return attenuatedAway(',
      },
      {
        file: lastCheck,
        find: "if (stopped !== undefined) return { kind: 'refused', denial: stopped, accesses: [] };",
        replace: '',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'quarantine-not-asked',
    wrong: 'a call that waits reaches a tool whose definition changed meanwhile',
    edits: [{ file: lastCheck, find: 'if (standing !== undefined) return standing;', replace: '' }],
    file: 'test/dispatch/last-check.test.ts',
    test: 'by the time its intent is durable',
  },
  {
    id: 'yes-used-twice',
    wrong: 'a yes for one call is good for two at the same time',
    edits: [
      {
        file: 'packages/core/src/consent/approvals.ts',
        find: "if (scope === 'once') this.#drop(key);",
        replace: '',
      },
    ],
    file: race,
    test: asks,
  },
  {
    id: 'verdict-outside-the-lock',
    wrong: 'a reload is judged and activated without waiting for the one before',
    edits: [
      {
        file: 'packages/core/src/reload/reloader.ts',
        find: 'return this.#exclusively(() => this.#reload(request));',
        replace: 'return this.#reload(request);',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'unproved-activates',
    wrong: 'a reload that is not proved to be an attenuation comes into force',
    edits: [
      {
        file: 'packages/core/src/reload/propose.ts',
        find: 'allowed: verdict.attenuates || act !== undefined,',
        replace: 'allowed: true,',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'in-force-before-durable',
    wrong: 'a generation is in force although it could not be stored',
    edits: [
      { file: activate, find: 'await ports.store.put(stored);', replace: '' },
      {
        file: activate,
        find: 'ports.cell.set(snapshot);',
        replace: 'ports.cell.set(snapshot);\n  await ports.store.put(stored);',
      },
    ],
    file: race,
    test: everything,
  },
  {
    id: 'later-freeze-lifted',
    wrong: 'a thaw lifts a freeze that came in while it waited',
    edits: [
      {
        file: 'packages/core/src/reload/reloader.ts',
        find: "if (freezes.asked(name) !== asked) return { kind: 'frozen-again' };\n    const { stored",
        replace: 'asked = freezes.asked(name);\n    const { stored',
      },
    ],
    file: 'packages/core/src/reload/reloader.test.ts',
    test: 'that comes in while a thaw still waits for its turn stands',
  },
  {
    id: 'delegated-without-parent',
    wrong: 'what is delegated is what its rules say, whatever whoever delegates may do',
    edits: [
      {
        file: 'packages/core/src/policy/delegated.ts',
        find: 'const parts = [...full, ...narrowers];',
        replace: 'const parts = [...full.slice(1), ...narrowers];',
      },
    ],
    file: 'packages/core/src/capability/delegate.prop.test.ts',
    test: 'is admitted iff parent and rules admit it',
  },
  {
    id: 'revocation-stops-at-children',
    wrong: 'a revoked capability leaves what was derived from it alive',
    edits: [
      {
        file: 'packages/core/src/capability/revoke.ts',
        find: '      ancestors.some((from) => this.#coversAncestor(from)) ||\n',
        replace: '',
      },
    ],
    file: delegation,
    test: 'also for calls that wait: none is made once its parent was revoked',
  },
  {
    id: 'child-has-counts-of-its-own',
    wrong: 'budgets and limits of a session begin anew in each child',
    edits: [
      {
        file: 'packages/core/src/dispatch/obligation.ts',
        find: 'child?.root ?? id',
        replace: 'id',
      },
    ],
    file: delegation,
    test: 'a budget of a rule is its parent’s own',
  },
];

/**
 * The text of a source with an edit; throws where what is to be changed is not there, or not once.
 * @param {string} text
 * @param {Edit} edit
 * @returns {string}
 */
export function edited(text, { file, find, replace }) {
  const pieces = text.split(find);
  if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times: ${find}`);
  return pieces.join(replace);
}
