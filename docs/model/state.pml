/*
 * What the processes of the model share: sets of accesses, promises, snapshots, capabilities.
 */

/*
 * Sets of accesses. A generation gives an executor two nested ones (POLICY section 2): the low bits are permitted, the high
 * ones permitted or may be asked for. Authority that shrinks, in either, is bits that go.
 */
#define REPORT     1
#define KEY        2
#define EVERYTHING 15 /* both are permitted */
#define ASKS       13 /* the report is permitted, the key may be asked for */
#define REPORTS    5  /* the report is permitted */
#define permitted(set)       ((set) & 3)
#define askable(set)         ((set) >> 2)
#define inside(small, large) (((small) & ~(large)) == 0)

#define GENERATIONS 4 /* the first, the reloads, a thaw */
#define NONE        GENERATIONS

/* Promises. Each is set and asserted in one step, and so no part of the state. */
hidden byte inside_the_pinned_authority = 1;            /* a call does nothing that its capability could not do when it was made */
hidden byte inside_the_authority_in_force = 1;          /* recheck, or after a wait: nothing that the policy in force at the hand-over does not give */
hidden byte inside_every_generation_since_the_pin = 1;  /* and nothing that was taken away between: A, B, A revives nothing */
hidden byte inside_the_admitting_snapshot = 1;          /* bind, without a wait: nothing that was taken away before the call was admitted */
hidden byte as_recorded_and_approved = 1;               /* what goes out is what the intent record and the approver saw */
hidden byte nothing_after_a_revocation_returned = 1;    /* admitted, handed over, or done with a power */
hidden byte nothing_after_its_epoch_moved = 1;          /* the same, from the very step of the activation */
hidden byte nothing_while_frozen = 1;                   /* handed over; in both postures */
hidden byte epochs_move_only_for_those_who_gained = 1;  /* nobody else loses a capability */
hidden byte what_is_not_proved_moves_the_epoch = 1;     /* a generation is an attenuation for every executor whose epoch stays */
hidden byte a_snapshot_in_use_is_not_freed = 1;
hidden byte old_snapshots_are_freed_in_the_end = 1;     /* when nothing moves any more, only the one in force is left */
#ifdef LOOK_FOR
#define PROMISE(name, holds) name = (holds); assert(LOOK_FOR)
#else
#define PROMISE(name, holds) name = (holds); assert(name)
#endif

typedef Snapshot {
  byte authority[2]; /* of each executor */
  byte epoch[2];
  byte pins;
  bool freed
};
Snapshot snapshot[GENERATIONS];
byte current = 0;
byte newest = 0;

/*
 * Caller 0 acts for executor 0. Caller 1 acts for executor 1 with what executor 0 delegated: its authority is the meet of
 * both, and its life hangs on both epochs.
 */
#define authority(caller, number) ((caller) == 0 -> snapshot[number].authority[0] \
                                   : (snapshot[number].authority[0] & snapshot[number].authority[1]))

typedef Capability {
  byte generation;
  byte epoch[2];
  bool revoked;
  /* For the promises; the program has no such fields: */
  byte pinned;   /* the authority at the pin */
  byte meet;     /* what all generations since the pin have in common */
  bool outdated; /* an operator moved an epoch that it hangs on */
  bool gone      /* its revocation was acknowledged */
};
hidden Capability nobody; /* all zero */
Capability session[2]; /* of each caller: what a call is located to */
Capability carried[2]; /* of the call that is under way */

bool frozen;     /* executor 0, and so whoever has authority through it */
bool revoked;    /* executor 0 */
bool gone;       /* its revocation was acknowledged; for the promises */
byte holds[2];   /* generation that the call of a caller uses, or NONE; for the promises */

mtype = { unasked, asked, approved };
mtype consent[2];
bool hung[2]; /* the server gives no answer to the call that it was handed */

#define not_revoked(caller) (!carried[caller].revoked && !revoked)
#ifdef GENERATION_NOT_COMPARED
#define not_moved(caller) true
#elif defined(COMPARED_BY_CONTENT)
#define not_moved(caller) inside(authority(caller, current), carried[caller].pinned)
#else
#define not_moved(caller) (carried[caller].generation <= current \
                           && carried[caller].epoch[0] == snapshot[current].epoch[0] \
                           && ((caller) == 0 || carried[caller].epoch[1] == snapshot[current].epoch[1]))
#endif

inline copy(to, from) {
  to.generation = from.generation;
  to.epoch[0] = from.epoch[0];
  to.epoch[1] = from.epoch[1];
  to.revoked = from.revoked;
  to.pinned = from.pinned;
  to.meet = from.meet;
  to.outdated = from.outdated;
  to.gone = from.gone
}

/* A new capability, pinned to the generation in force. */
inline mint(caller) {
  session[caller].generation = current;
  session[caller].epoch[0] = snapshot[current].epoch[0];
  session[caller].epoch[1] = (caller == 0 -> 0 : snapshot[current].epoch[1]);
  session[caller].revoked = false;
  session[caller].pinned = authority(caller, current);
  session[caller].meet = session[caller].pinned;
  session[caller].outdated = false;
  session[caller].gone = false
}

inline free_if_unused(number) {
  if
  :: snapshot[number].pins == 0 && number != current && !snapshot[number].freed ->
     PROMISE(a_snapshot_in_use_is_not_freed, holds[0] != number && holds[1] != number);
     snapshot[number].authority[0] = 0; snapshot[number].authority[1] = 0;
     snapshot[number].epoch[0] = 0; snapshot[number].epoch[1] = 0;
     snapshot[number].freed = true
  :: else
  fi
}

inline unpin(number) {
  snapshot[number].pins--;
  free_if_unused(number)
}
