/** Whether a server over HTTP is still there. */
import { isUtf8 } from 'node:buffer';
import type { HttpPeer, Repeated } from './http-peer.js';

/** How a look is taken. */
export interface Look {
  readonly peer: HttpPeer;
  readonly id: string;
  readonly text: string;
  readonly repeated: Repeated | undefined;
}

const longestMs = 5000;

/** Asks; undefined when it answers, else why it is taken for gone. Never rejects. */
export function lookAt({ peer, id, text, repeated }: Look): Promise<string | undefined> {
  return new Promise((resolve) => {
    const silent = 'it does not answer';
    const timer = setTimeout(() => {
      resolve(silent);
      if (typeof sent !== 'string') sent.breakOff();
    }, longestMs);
    const settle = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve(why);
    };
    const heard = (answer: Buffer): void => {
      if (!answers(answer, id)) return;
      settle(undefined);
      if (typeof sent !== 'string') sent.breakOff();
    };
    const sent = peer.post(text, repeated, {
      message: heard,
      oversize: () => undefined,
      noise: () => undefined,
      ended: (end) => {
        if (end.status === 404 && peer.hasSession) {
          peer.sessionEnded();
          return settle('the server has ended the session');
        }
        if (end.text !== undefined && answers(end.text, id)) return settle(undefined);
        return settle(end.why ?? silent);
      },
    });
    if (typeof sent === 'string') settle(sent);
  });
}

/** An error is an answer as well: somebody is there. */
function answers(text: Buffer, id: string): boolean {
  if (!isUtf8(text)) return false;
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    return typeof value === 'object' && value !== null && 'id' in value && value.id === id;
  } catch {
    return false;
  }
}
