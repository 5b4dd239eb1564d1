/** What the dispatcher needs from around it. */
import type { AuditLog } from '../audit/index.js';
import type { Access } from '../authority/index.js';
import type { Freezes, Revocations } from '../capability/index.js';
import type { ConsentPort } from '../consent/index.js';
import type { Clock, Digest, Entropy, ExecutorId, ToolName } from '../ground/index.js';
import type { Located, Locator, Sessions } from '../handle/index.js';
import type { LimitPort } from '../limit/index.js';
import type { Current } from '../policy/index.js';
import type { Skills } from '../skill/index.js';
import type { ExclusionPort } from '../vat/index.js';

/**
 * How what is behind a tool stands to the definition in force: as it is there, otherwise than it is there so that somebody has to
 * accept it first, or not at all.
 */
export type Standing = 'in-force' | 'waiting' | 'absent';

/** Everything is passed in; the dispatcher opens nothing and knows no store. */
export interface DispatchPorts {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly current: Current;
  readonly locator: Locator;
  /** Whose session a refused call came in by. */
  readonly sessions: Pick<Sessions, 'get'>;
  readonly revocations: Revocations;
  /** Who is frozen; nobody where it is absent. */
  readonly freezes?: Pick<Freezes, 'covers'>;
  readonly audit: AuditLog;
  /** Loaded skills; none where it is absent. */
  readonly skills?: Pick<Skills, 'changes' | 'find' | 'refuseMasked'>;
  readonly consent: ConsentPort;
  readonly limits: LimitPort;
  readonly exclusion: ExclusionPort<readonly Access[]>;
  /**
   * Before a call is sent once more: settles when what is behind the tool is there again, or will not be soon. Never rejects.
   */
  readonly recovered?: (located: Located, signal: AbortSignal) => Promise<void>;
  /** Asked when a call is found, and again in the step of its hand-over. Absent: every tool that is mounted is as it is in force. */
  readonly standing?: (tool: ToolName, executor: ExecutorId) => Standing;
  /** Keyed digest of canonical arguments; the key stays with the store. */
  readonly argumentsDigest: (canonical: string) => Digest;
}
