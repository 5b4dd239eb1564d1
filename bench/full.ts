import { cedar } from './decision/peer/cedar.js';
import { ajv } from './decision/peer/ajv.js';
import { casl } from './decision/peer/casl.js';
import { loadWorkload } from './workload/load.js';
import { sizes } from './workload/workload.js';
for (const { rules: size, tools } of sizes) { const { rules, calls } = loadWorkload(size, tools);
 for (const p of [casl, ajv, cedar] as any[]) { const j = p.judge(rules); console.log(size, p.name, calls.filter((c) => (j.judge(j.question(c)) !== undefined) !== c.allow).length, 'wrong of', calls.length); } }
