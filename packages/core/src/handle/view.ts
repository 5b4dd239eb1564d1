/** What a model is shown of a session's tools. */
import { type Handle, type JsonObject, isJsonObject, own } from '../ground/index.js';
import { type CompiledPolicy, type ExecutorPolicy, modelView, policyOf } from '../policy/index.js';
import type { Mount, Session } from './opening.js';

/** One tool as a model sees it: names of things, and nothing that could be turned into authority elsewhere. */
export interface ToolView {
  readonly name: string;
  /** Of its arguments. */
  readonly schema: JsonObject;
  /** Valid in this session only, and never to be written down. */
  readonly handle: Handle;
}

/**
 * Mounts of a session with the definitions narrowed to what its calls can be: by the authority that judges them, what was delegated
 * included. Without those of which no call can be admitted.
 */
export function shownMounts(
  policy: CompiledPolicy,
  { agent, instance, child }: Pick<Session, 'agent' | 'instance' | 'child'>,
  mounts: readonly Mount[],
): readonly Mount[] {
  const held = policyOf(policy, { agent, instance, delegation: child?.delegation });
  if ('kind' in held) return [];
  const { disclose } = policy.settings;
  return mounts.flatMap((mount) => {
    const view = viewUnder(held, mount, disclose);
    // A tool of a loaded skill: no rule of the policy speaks of it.
    if (view === undefined) return [mount];
    const others = (held.alsoUnder ?? []).map((executor) => viewUnder(executor, mount, disclose));
    if (![view, ...others].every((one) => one?.possible === true)) return [];
    return view.definition === mount.definition
      ? [mount]
      : [Object.freeze({ ...mount, definition: view.definition })];
  });
}

function viewUnder(
  executor: ExecutorPolicy,
  { tool, definition }: Mount,
  disclose: CompiledPolicy['settings']['disclose'],
): ReturnType<typeof modelView> | undefined {
  const own = executor.forTool(tool);
  return own && modelView(own, definition, disclose);
}

/** The view of these mounts, in their order. */
export function toolViews(mounts: readonly Mount[]): readonly ToolView[] {
  return mounts.map(({ name, handle, definition }) => {
    const schema = own(definition, 'inputSchema');
    return Object.freeze({ name, schema: isJsonObject(schema) ? schema : anything, handle });
  });
}

const anything: JsonObject = Object.freeze({ type: 'object' });
