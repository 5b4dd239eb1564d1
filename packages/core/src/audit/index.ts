/** Audit: what is recorded, how records are chained, and how a chain is verified. Storage is a port. */
export {
  type Envelope,
  type EnvelopeFacts,
  type RowChange,
  envelopeText,
  genesis,
  headText,
  link,
  readEnvelope,
  recordText,
} from './chain.js';
export type { AuditLog, Ticket } from './log.js';
export type {
  AuditRecord,
  CallFacts,
  Count,
  EventRecord,
  GenerationRef,
  IntentRecord,
  RefusalRecord,
  SettlementRecord,
} from './record.js';
export {
  type Evidence,
  type Head,
  type SignedHead,
  type StoredRecord,
  type StoredRow,
  type VerifyReport,
  callOf,
  verify,
} from './verify.js';
