/*
 * The reload protocol of Pawl, for spin: what two callers, an operator who reloads, freezes and revokes, an approver and
 * the drain may do to each other. `npm run gate:model` searches all of it, and all of it again with each fault below.
 *
 * One step of the model is what the program does between two waits: what an `await` separates is two steps here, what none
 * separates is one `atomic`. Two accesses stand for all, two executors, four generations. The steps of a call are those of
 * dispatch/dispatch.ts and last-check.ts, `lives` is capability/alive.ts, the pointer and its holds are policy/current.ts.
 * Left out: restarts, expiry, limits, and what is inside one step (parsing, the proof itself, the matcher).
 *
 *   POSTURE_BIND               `reload: { posture: bind }`; without it `recheck`
 *
 * Faults. The search has to find each; a search that does not find one is worth nothing:
 *   RE_RESOLVED                the hand-over asks the policy in force what the call means, instead of the pinned snapshot
 *   GENERATION_NOT_COMPARED    generation and epochs of a capability are written down and not looked at
 *   CHECKED_BEFORE_A_WAIT      something may happen between the last check and the hand-over
 *   RELEASED_EARLY             a snapshot is let go once the call is admitted
 *   NEVER_RELEASED             a call that is refused keeps its snapshot
 *   WIDENED_WITHOUT_EPOCH      a reload that gains is activated like one that does not
 *   PROVED_OUTSIDE_THE_LOCK    the proof is about a generation that may be gone when the reload is activated
 *   EPOCH_AFTER_THE_POINTER    the generation is in force a step before the epochs move
 *   EPOCH_OF_EVERYBODY         an epoch moves unasked for an executor that gained nothing
 *   COMPARED_BY_CONTENT        a capability lives while the generation in force lies inside the one it was pinned to
 *   WAITED_NOT_READMITTED      a call that waited goes on under the snapshot that admitted it
 *   MEANING_NOT_SEALED         a call admitted afresh goes out as it now reads, not as it was recorded and approved
 *   REVOKED_LATER              a revocation is acknowledged a step before it is in force
 *   THAWED_WITHOUT_EPOCH       a thaw lifts the freeze and moves no epoch
 */

#include "state.pml"
#include "call.pml"

/* Which of the two executors a proposal would give something that it has not: `gains`. The prover may also not know. */
inline compare() {
  gains[0] = !inside(next[0], snapshot[current].authority[0]);
  gains[1] = !inside(next[1], snapshot[current].authority[1]);
  if
  :: true
  :: gains[0] = true; gains[1] = true
  fi
}

inline move_epochs() {
#ifdef EPOCH_OF_EVERYBODY
  snapshot[newest].epoch[0] = snapshot[old].epoch[0] + 1;
  snapshot[newest].epoch[1] = snapshot[old].epoch[1] + 1
#else
  snapshot[newest].epoch[0] = snapshot[old].epoch[0] + (moves[0] -> 1 : 0);
  snapshot[newest].epoch[1] = snapshot[old].epoch[1] + (moves[1] -> 1 : 0)
#endif
}

/* What another generation in force means for a capability; for the promises. */
inline witness(capability, caller) {
  if
  :: moves[0] || (caller == 1 && moves[1]) -> capability.outdated = true
  :: else
  fi;
  capability.meet = capability.meet & authority(caller, current)
}

inline witness_all(caller) {
  witness(session[caller], caller);
  if
  :: holds[caller] != NONE -> witness(carried[caller], caller)
  :: else
  fi
}

#ifdef EPOCH_AFTER_THE_POINTER
#define proved_or_moved(executor) true
#else
#define proved_or_moved(executor) (inside(snapshot[newest].authority[executor], snapshot[old].authority[executor]) \
                                   || snapshot[newest].epoch[executor] > snapshot[old].epoch[executor])
#endif

/* The next generation is in force, and the one before is old: one step. `moves`: whose epochs move. */
inline activate() {
  old = current;
  newest++;
  snapshot[newest].authority[0] = next[0];
  snapshot[newest].authority[1] = next[1];
#ifdef EPOCH_AFTER_THE_POINTER
  snapshot[newest].epoch[0] = snapshot[old].epoch[0];
  snapshot[newest].epoch[1] = snapshot[old].epoch[1];
#else
  move_epochs();
#endif
  PROMISE(what_is_not_proved_moves_the_epoch, proved_or_moved(0) && proved_or_moved(1));
  current = newest;
  witness_all(0);
  witness_all(1);
  free_if_unused(old)
}

/* `--reissue`: fresh capabilities into open sessions that lost theirs. */
inline reissue() {
  if
  :: moves[0] && !frozen && !session[0].revoked -> mint(0)
  :: else
  fi;
  if
  :: (moves[0] || moves[1]) && !frozen && !session[1].revoked -> mint(1)
  :: else
  fi
}

/*
 * One reload: by the operator, or by a file watch, which can only attenuate. Nobody else activates between comparison and
 * activation, so that they are one step for all others.
 */
proctype Reload(bool by_operator) {
  byte next[2];  /* what the proposal gives each executor */
  bool gains[2]; /* by the comparison */
  bool moves[2]; /* whose epochs move */
  bool refused = false, fresh = false;
  byte old = 0;

  atomic {
    next[0] = snapshot[current].authority[0];
    next[1] = snapshot[current].authority[1];
    if
    :: next[0] = EVERYTHING
    :: next[0] = ASKS
    :: next[0] = REPORTS
    :: next[1] = EVERYTHING
    :: next[1] = ASKS
    :: next[1] = REPORTS
    :: next[0] = ASKS; next[1] = EVERYTHING /* `--to`: the first document again */
    fi;
    compare();
    if
    :: refused = gains[0] || gains[1]
    :: by_operator -> moves[0] = gains[0]; moves[1] = gains[1] /* --bump-epoch */
    :: by_operator -> moves[0] = true; moves[1] = true         /* --bump-epoch --all */
    fi;
    if
    :: true
    :: moves[0] || moves[1] -> fresh = true                    /* --reissue */
    fi;
#ifdef WIDENED_WITHOUT_EPOCH
    moves[0] = false; moves[1] = false; refused = false;
#endif
#ifdef PROVED_OUTSIDE_THE_LOCK
  };
  atomic {
#endif
    if
    :: !refused -> activate()
    :: refused = true /* also if it cannot be made durable: the last good generation stays */
    fi;
#ifdef EPOCH_AFTER_THE_POINTER
  };
  atomic {
    if
    :: !refused -> move_epochs()
    :: else
    fi;
#endif
    if
    :: !refused && fresh -> reissue()
    :: else
    fi;
    gains[0] = false; gains[1] = false; moves[0] = false; moves[1] = false;
    next[0] = 0; next[1] = 0; refused = false; fresh = false; old = 0
  }
}

/* `pawl freeze`, in force when it returns whatever a reload is waiting for; then `pawl thaw`, which moves epochs first. */
proctype Freezer() {
  byte next[2];
  bool moves[2];
  byte old = 0;

  atomic {
    frozen = true;
    session[0].meet = 0; session[1].meet = 0; carried[0].meet = 0; carried[1].meet = 0
  };
  atomic {
    next[0] = snapshot[current].authority[0];
    next[1] = snapshot[current].authority[1];
#ifndef THAWED_WITHOUT_EPOCH
    moves[0] = true;
#endif
    activate();
    next[0] = 0; next[1] = 0; old = 0
  };
  atomic {
    frozen = false;
    reissue();
    moves[0] = false
  }
}

/*
 * `pawl revoke`: executor 0, and with it what was delegated, or the session of caller 0, who may open another. In force before
 * it is acknowledged.
 */
inline in_force() {
  if
  :: executor -> revoked = true
  :: else ->
     session[0].revoked = true;
     if
     :: holds[0] != NONE -> carried[0].revoked = true
     :: else
     fi
  fi
}

/* A session that the caller opened meanwhile is another. */
#ifdef REVOKED_LATER
#define as_revoked(capability) true
#else
#define as_revoked(capability) capability.revoked
#endif

inline acknowledge() {
  if
  :: executor -> gone = true
  :: else ->
     session[0].gone = as_revoked(session[0]);
     if
     :: holds[0] != NONE -> carried[0].gone = as_revoked(carried[0])
     :: else
     fi
  fi
}

proctype Revoker() {
  bool executor = false;

  atomic {
    if
    :: executor = true
    :: executor = false
    fi;
#ifdef REVOKED_LATER
    acknowledge()
  };
  atomic {
    in_force()
#else
    in_force();
    acknowledge()
#endif
  }
}

proctype Approver() {
end:
  do
  :: atomic { consent[0] == asked -> consent[0] = approved }
  :: atomic { consent[1] == asked -> consent[1] = approved }
  od
}

/* The drain: an old generation is not held for ever by a server that gives no answer; the outcome is unknown. */
proctype Drain() {
end:
  do
  :: atomic { hung[0] && holds[0] != current -> hung[0] = false }
  :: atomic { hung[1] && holds[1] != current -> hung[1] = false }
  od
}

/* When nothing moves any more. */
proctype End() {
  byte number = 0;
  atomic {
    timeout ->
    do
    :: number > newest -> break
    :: else ->
       PROMISE(old_snapshots_are_freed_in_the_end, number == current || snapshot[number].freed);
       number++
    od
  }
}

init {
  atomic {
    holds[0] = NONE; holds[1] = NONE;
    consent[0] = unasked; consent[1] = unasked;
    snapshot[0].authority[0] = ASKS;
    snapshot[0].authority[1] = EVERYTHING;
    mint(0);
    mint(1);
    run Caller(0);
    run Caller(1);
    run Reload(false);
    run Reload(true);
    run Freezer();
    run Revoker();
    run Approver();
    run Drain();
    run End()
  }
}
