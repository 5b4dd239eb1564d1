/** SQL: a text becomes its effects on tables. Whatever is not understood, or read differently by databases, is refused. */
export {
  type Effect,
  effects,
  effectHelp,
  isEffect,
  isPlainName,
  neverInNames,
  statementOf,
} from './access.js';
export { readSql } from './statement.js';
