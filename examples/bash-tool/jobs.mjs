/** A background job is an actor that goes on by sending to itself. What it may do ends with the session whose call started it. */
import { defineActor, jsonArguments, noArguments, power, spawn } from '@pawl/core';

const clock = power({ rest: 'method' });

/** Counts the lines of a file, a line a turn. */
const job = defineActor({ powers: { clock }, state: { left: [], counted: 0 } }, ({ read, write }) => ({
  start: write(lines(), ({ text }, turn) => {
    turn.become({ left: text.split('\n'), counted: 0 });
    turn.send(turn.self, 'step', {});
  }),
  step: write(noArguments, async (_, turn) => {
    const { left, counted } = turn.state;
    if (left.length === 0) return;
    await turn.powers.clock.rest();
    turn.become({ left: left.slice(1), counted: counted + 1 });
    turn.send(turn.self, 'step', {});
  }),
  progress: read(noArguments, (_, turn) => `${turn.state.counted} counted, ${turn.state.left.length} left`),
}));

/** Starts jobs and knows them by number. */
export const jobs = defineActor({ powers: { clock }, state: [] }, ({ read, write }) => ({
  start: write(lines(), ({ text }, turn) => {
    const started = spawn(job, turn.powers);
    turn.send(started, 'start', { text });
    turn.become([...turn.state, started]);
    return turn.state.length;
  }),
  look: read(number(), ({ job: which }, turn) => {
    const found = turn.state[which];
    return found === undefined ? 'no such job' : turn.call(found, 'progress', {});
  }),
}));

function lines() {
  return jsonArguments({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
}

function number() {
  return jsonArguments({ type: 'object', properties: { job: { type: 'integer' } }, required: ['job'] });
}
