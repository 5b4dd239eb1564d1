/** Locks this realm down: to be imported before anything else, and only by a process that exists for it. */
// oxlint-disable-next-line import/no-unassigned-import -- it adds the globals that follow
import 'ses';

// Stacks stay hidden: they would tell a tool where the gateway lies. What honest code assigns to its own objects works.
lockdown({ errorTaming: 'safe', overrideTaming: 'severe', consoleTaming: 'unsafe', reporting: 'none' });

/** Makes an object and all that hangs on it unchangeable. */
export const hardened: typeof harden = harden;
