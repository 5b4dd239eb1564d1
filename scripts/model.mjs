/**
 * `npm run gate:model`: has spin search docs/model/reload.pml, in both postures, where it must find nothing, and with each
 * fault, where it must find the promise that the fault breaks. `--trace NAME` prints how a fault breaks its promise.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './ready.mjs';
import { isPresent } from './system-packages.mjs';

const folder = join(root, 'docs', 'model');

/** @typedef {'recheck' | 'bind'} Posture */
/** One way of getting the protocol wrong: a #define of the model, and the promise that it breaks. */
/** @typedef {{ name: string, breaks: string, posture?: Posture }} Fault */

/** @type {readonly Posture[]} */
export const postures = ['recheck', 'bind'];

/** @type {readonly Fault[]} */
export const faults = [
  { name: 'RE_RESOLVED', breaks: 'inside_the_pinned_authority' },
  { name: 'RE_RESOLVED', breaks: 'inside_the_admitting_snapshot', posture: 'bind' },
  { name: 'GENERATION_NOT_COMPARED', breaks: 'inside_the_pinned_authority' },
  { name: 'COMPARED_BY_CONTENT', breaks: 'inside_every_generation_since_the_pin' },
  { name: 'CHECKED_BEFORE_A_WAIT', breaks: 'inside_the_authority_in_force' },
  { name: 'CHECKED_BEFORE_A_WAIT', breaks: 'nothing_while_frozen', posture: 'bind' },
  { name: 'RELEASED_EARLY', breaks: 'a_snapshot_in_use_is_not_freed' },
  { name: 'NEVER_RELEASED', breaks: 'old_snapshots_are_freed_in_the_end' },
  { name: 'WIDENED_WITHOUT_EPOCH', breaks: 'what_is_not_proved_moves_the_epoch' },
  { name: 'PROVED_OUTSIDE_THE_LOCK', breaks: 'what_is_not_proved_moves_the_epoch' },
  { name: 'EPOCH_AFTER_THE_POINTER', breaks: 'nothing_after_its_epoch_moved' },
  { name: 'EPOCH_OF_EVERYBODY', breaks: 'epochs_move_only_for_those_who_gained' },
  { name: 'WAITED_NOT_READMITTED', breaks: 'inside_the_authority_in_force', posture: 'bind' },
  { name: 'MEANING_NOT_SEALED', breaks: 'as_recorded_and_approved' },
  { name: 'REVOKED_LATER', breaks: 'nothing_after_a_revocation_returned' },
  { name: 'THAWED_WITHOUT_EPOCH', breaks: 'inside_every_generation_since_the_pin' },
];

/** What a search came to. `unreached`: lines of the model that no step ever executes. */
/** @typedef {{ states: number, broken: string | undefined, unreached: readonly string[], seconds: number }} Search */

/** @returns {string | undefined} why nothing can be searched here */
export function obstacle() {
  const absent = ['spin', 'gcc'].filter((program) => !isPresent(program));
  if (absent.length > 0) return `no ${absent.join(' and no ')} (Debian: apt-get install spin gcc libc6-dev)`;
  const { status } = spawnSync('gcc', ['-E', '-x', 'c', '-'], { input: '#include <stdio.h>\n' });
  return status === 0 ? undefined : 'gcc without the headers of C (Debian: apt-get install libc6-dev)';
}

/** @returns {readonly string[]} the names of all promises of the model */
export function promises() {
  const text = readFileSync(join(folder, 'state.pml'), 'utf8');
  return [...text.matchAll(/^hidden byte (\w+) = 1;/gmu)].map(([, name = '']) => name);
}

/**
 * Runs a program to its end and answers what it printed. Rejects where it cannot run or ends with another code than 0.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<string>}
 */
async function run(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed}`);
  return printed;
}

/**
 * @param {Posture} posture
 * @param {Fault | undefined} fault
 * @returns {string[]} what the model is to be read with
 */
function definesOf(posture, fault) {
  return [
    ...(posture === 'bind' ? ['-DPOSTURE_BIND'] : []),
    ...(fault === undefined ? [] : [`-D${fault.name}`, `-DLOOK_FOR=${fault.breaks}`]),
  ];
}

/**
 * The searching program that spin writes, compiled and run in a folder that holds the model.
 * @param {string} cwd
 * @param {Posture} posture
 * @param {Fault | undefined} fault
 * @returns {Promise<string>} what it printed
 */
async function searched(cwd, posture, fault) {
  await run('spin', [...definesOf(posture, fault), '-a', 'reload.pml'], cwd);
  // A fault is found so soon that optimising costs more than it saves.
  const level = fault === undefined ? '-O2' : '-O0';
  await run('gcc', [level, '-w', '-DSAFETY', '-o', 'pan', 'pan.c'], cwd);
  return run(join(cwd, 'pan'), ['-m100000', '-w22'], cwd);
}

/**
 * Calls something with a fresh copy of the model, and removes the copy.
 * @template T
 * @param {(cwd: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inCopy(work) {
  const cwd = mkdtempSync(join(tmpdir(), 'pawl-model-'));
  try {
    cpSync(folder, cwd, { recursive: true });
    return await work(cwd);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/**
 * Searches the model as it is, or with a fault. Rejects where the search itself went wrong.
 * @param {Posture} posture
 * @param {Fault} [fault]
 * @returns {Promise<Search>}
 */
export async function search(posture, fault) {
  const start = performance.now();
  const printed = await inCopy((cwd) => searched(cwd, posture, fault));
  const seconds = (performance.now() - start) / 1000;
  const errors = /errors: (\d+)/u.exec(printed)?.[1];
  const states = /(\d+) states, stored/u.exec(printed)?.[1];
  const broken = /^pan:1: (.+) \(at depth/mu.exec(printed)?.[1];
  if (errors === undefined || states === undefined || printed.includes('max search depth too small'))
    throw new Error(`the search did not end:\n${printed}`);
  if ((errors === '0') !== (broken === undefined)) throw new Error(`not understood:\n${printed}`);
  const unreached = [...printed.matchAll(/^\t(\w+\.pml:\d+), state \d+, "(.*)"$/gmu)]
    .filter(([, , text]) => text !== '-end-')
    .map(([, place, text]) => `${place}: ${text}`);
  return { states: Number(states), broken: broken?.replace('assertion violated ', ''), unreached, seconds };
}

/** @param {Search} found @returns {string | undefined} what is wrong with a search of the model as it is */
export function wrongIn({ broken, unreached }) {
  if (broken !== undefined) return `breaks ${broken}`;
  return unreached.length === 0 ? undefined : `never executes ${unreached.join('; ')}`;
}

/** @param {Fault} fault @returns {Posture} */
export function postureOf({ posture }) {
  return posture ?? 'recheck';
}

/** @param {Posture} posture @returns {Promise<boolean>} whether the model keeps all promises */
async function checkModel(posture) {
  const found = await search(posture);
  const wrong = wrongIn(found);
  const end = wrong === undefined ? 'every promise holds' : `WRONG: ${wrong}`;
  console.log(`${posture}: ${found.states} states, ${found.seconds.toFixed(1)} s: ${end}`);
  return wrong === undefined;
}

/** @param {Fault} fault @returns {Promise<boolean>} whether the search finds it */
async function checkFault(fault) {
  const { states, broken, seconds } = await search(postureOf(fault), fault);
  const isFound = broken === fault.breaks;
  const end = isFound ? `breaks ${broken}` : `NOT FOUND: ${broken ?? 'every promise holds'}`;
  console.log(`${fault.name} (${postureOf(fault)}): ${states} states, ${seconds.toFixed(1)} s: ${end}`);
  return isFound;
}

/** @returns {boolean} whether each promise is broken by some fault: one that none breaks may hold of nothing */
function checkPromises() {
  const unbroken = promises().filter((name) => !faults.some(({ breaks }) => breaks === name));
  for (const name of unbroken) console.log(`NO FAULT breaks ${name}`);
  return unbroken.length === 0;
}

/**
 * Runs checks, as many at once as there are processors.
 * @param {readonly (() => Promise<boolean>)[]} checks
 * @returns {Promise<boolean>} whether all came out well
 */
async function all(checks) {
  const waiting = [...checks];
  let isWell = true;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      isWell = (await next()) && isWell;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return isWell;
}

/** Prints the steps that lead to the broken promise of a fault. @param {string} name */
async function trace(name) {
  const fault = faults.find((each) => each.name === name);
  if (fault === undefined)
    throw new Error(`no such fault; there are ${faults.map((each) => each.name).join(', ')}`);
  const posture = postureOf(fault);
  await inCopy(async (cwd) => {
    await searched(cwd, posture, fault);
    const steps = await run('spin', [...definesOf(posture, fault), '-t', '-p', '-g', 'reload.pml'], cwd);
    process.stdout.write(steps);
  });
}

/** @returns {Promise<boolean>} whether everything came out well, or was skipped where that is allowed */
async function main() {
  const reason = obstacle();
  const traced = process.argv.indexOf('--trace');
  if (reason !== undefined) {
    console.log(`THE MODEL OF THE RELOAD PROTOCOL WAS NOT SEARCHED: ${reason}`);
    // In CI a check that did not run has failed.
    return !process.env['CI'];
  }
  if (traced >= 0) {
    await trace(process.argv[traced + 1] ?? '');
    return true;
  }
  const checks = [
    ...postures.map((posture) => () => checkModel(posture)),
    ...faults.map((fault) => () => checkFault(fault)),
  ];
  return (await all(checks)) && checkPromises();
}

if (process.argv[1] === import.meta.filename) process.exitCode = (await main()) ? 0 : 1;
