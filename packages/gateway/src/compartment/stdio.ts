/** The gateway's end of the line, seen from inside the process. Nothing else of the process talks. */
import { Lines } from './wire.js';

const lineBytes = 256 * 1024 * 1024;

/** Calls with each order that comes, in order. At the end of the input the process ends: nobody is there any more. */
export function onOrder(listener: (text: string) => void): void {
  const lines = new Lines(lineBytes);
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of lines.take(chunk) ?? []) listener(line);
  });
  process.stdin.on('end', () => process.exit(0));
}

/** Sends one message. */
export function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
