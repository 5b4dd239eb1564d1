import { checked, defineActor, send, spawn, judged, revocable } from '@pawl/core';
const by = checked<{by:number}>((a)=> typeof a==='object'&&a!==null&&'by' in a&&typeof a.by==='number'?undefined:'by must be a number');
const plus = defineActor({}, ({read}) => ({ add: read(by, async ({by}) => by+1) }));
const plusSync = defineActor({deadlineMs: Infinity}, ({read}) => ({ add: read(by, ({by}) => by+1) }));
const r = spawn(plus, {}); const rs = spawn(plusSync, {});
const rj = judged(revocable(r).ref, (m,a)=> undefined);
async function f(a:{by:number}){return a.by+1}
const N=300000;
async function time(name:string, g:(i:number)=>Promise<number>){ const t=process.hrtime.bigint(); let s=0; for(let i=0;i<N;i++) s+=await g(i); const ns=Number(process.hrtime.bigint()-t)/N; return ns }
for(let k=0;k<(Number(process.env.K)||5);k++){
 const base=await time('bare',(i)=>f({by:i}));
 const a=await time('async',(i)=>send(r,'add',{by:i}));
 const b=await time('sync',(i)=>send(rs,'add',{by:i}));
 const c=await time('judged',(i)=>send(rj,'add',{by:i}));
 console.log(base.toFixed(0), 'async',(a/base).toFixed(1),'sync',(b/base).toFixed(1),'judged',(c/base).toFixed(1));
}
