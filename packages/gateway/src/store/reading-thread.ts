/** A thread that answers one question about a store on disk and ends, and with it its connection. */
import { parentPort } from 'node:worker_threads';
import { checkStore, selectGeneration, selectRecords } from './evidence.js';
import { gatekeeper } from './gate.js';
import { type ReadQuestion, answerTo } from './message.js';

function perform(question: ReadQuestion): unknown {
  const { ask, folder } = question;
  if (ask === 'verify') return checkStore(folder);
  return ask === 'records'
    ? selectRecords(folder, question.query)
    : selectGeneration(folder, question.number);
}

const port = parentPort;
port?.on('message', (question: ReadQuestion) => {
  const keeper = gatekeeper(question.gate);
  port.postMessage(keeper.pass(() => answerTo(() => perform(question))));
});
