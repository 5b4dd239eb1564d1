/** Answers as one line: bodies over HTTP may hold line ends between their tokens, frames on pipes may not. */
import type { Fault } from '@pawl/core';
import type { RawResult } from '../result.js';

/** The same answer without line ends. It was read as JSON before, so none of them stands in a text. */
export function oneLine(answer: RawResult | Fault): RawResult | Fault {
  if (answer.kind === 'result')
    return /[\r\n]/u.test(answer.members) ? { ...answer, members: joined(answer.members) } : answer;
  return answer.kind === 'error' ? { ...answer, error: joined(answer.error) } : answer;
}

function joined(text: string): string {
  return text.replaceAll(/[\r\n]+/gu, ' ');
}
