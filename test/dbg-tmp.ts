import { gate, closed } from './policies.ts';
import { judgeCall } from '../packages/core/src/reload/judge.ts';
import { comparePolicies } from '../packages/core/src/policy/compare/compare.ts';
const tools={hub:{go:closed({x:{type:'string',default:'q'},y:{type:'string'}},'y')}};
const mk=(a:unknown)=>gate(JSON.stringify({pawl:1,servers:{hub:{command:'x'}},agents:{a}}),tools as never);
const o=mk({allow:[{tools:['hub/go'],where:{'args.x':'any','args.y':'any'}}]}), n=mk({allow:[{tools:['hub/go'],where:{'args.x':['q'],'args.y':'any'}}]});
console.log(JSON.stringify(comparePolicies({old:o.policy,next:n.policy,judge:judgeCall}).executors,null,1));
