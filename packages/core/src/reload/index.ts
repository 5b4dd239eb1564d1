/** Reload: the only room that moves what is in force. */
export { type StartRequest, type Started, start } from './start.js';
export { type CurrentCell, currentCell } from '../policy/set-current.js';
export { judgeCall } from './judge.js';
