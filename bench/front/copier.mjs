/** The floor of every front: starts a server and copies whole lines both ways, looking at nothing. */
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
copy(process.stdin, server.stdin);
copy(server.stdout, process.stdout);
process.stdin.once('end', () => server.stdin.end());
server.once('exit', () => process.exit());

/**
 * @param {import('node:stream').Readable} from
 * @param {import('node:stream').Writable} to
 */
function copy(from, to) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  from.on('data', (/** @type {Buffer} */ chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      to.write(bytes.subarray(0, end + 1));
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  });
}
