/**
 * Z3 in a process of its own, because its threads keep a process alive and a hard question can hang it. A line in: a JSON list
 * of SMT-LIB scripts without `check-sat`; a line out: their answers, up to the first that is `sat`.
 */
import { createInterface } from 'node:readline';
import { init } from 'z3-solver';

const milliseconds = Number(process.argv[2] ?? 1000);
const { Z3 } = await init();
const words = new Map([
  [1, 'sat'],
  [0, 'unknown'],
  [-1, 'unsat'],
]);

/**
 * Not by `eval_smtlib2_string`: that one reads its text in another thread after the memory was given back.
 * @param {string} script @returns {Promise<string>}
 */
async function answer(script) {
  const context = Z3.mk_context(Z3.mk_config());
  const solver = Z3.mk_solver(context);
  Z3.solver_inc_ref(context, solver);
  const params = Z3.mk_params(context);
  Z3.params_inc_ref(context, params);
  Z3.params_set_uint(context, params, Z3.mk_string_symbol(context, 'timeout'), milliseconds);
  Z3.solver_set_params(context, solver, params);
  Z3.solver_from_string(context, solver, script);
  const problem = Z3.get_error_msg(context, Z3.get_error_code(context));
  const said = words.get(await Z3.solver_check(context, solver)) ?? 'no answer';
  Z3.solver_dec_ref(context, solver);
  Z3.del_context(context);
  return problem === 'ok' ? said : problem;
}

for await (const line of createInterface({ input: process.stdin })) {
  const answers = [];
  for (const script of JSON.parse(line)) {
    const said = await answer(script);
    answers.push(said);
    if (said === 'sat') break;
  }
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
process.exit(0);
