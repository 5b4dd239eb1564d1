/** A thread that answers one question about a store on disk and ends, and with it its connection. */
import { parentPort } from 'node:worker_threads';
import { checkStore, selectGeneration, selectRecords, selectRows } from './evidence.js';
import { gatekeeper } from './gate.js';
import { type ReadQuestion, answerTo } from './message.js';

function perform(question: ReadQuestion): unknown {
  if (question.ask === 'verify') return checkStore(question.folder);
  if (question.ask === 'rows') return selectRows(question.folder);
  return question.ask === 'records'
    ? selectRecords(question.folder, question.query)
    : selectGeneration(question.folder, question.number);
}

const port = parentPort;
port?.on('message', (question: ReadQuestion) => {
  const keeper = gatekeeper(question.gate);
  port.postMessage(keeper.pass(() => answerTo(() => perform(question))));
});
