/*
 * One call after another, as dispatch/dispatch.ts and dispatch/last-check.ts make them.
 */

/*
 * Admission, pure over (request, snapshot). A request names an access, or leaves the argument out and means all that the
 * snapshot lets it mean: what is filled in becomes part of the call. `level`: 0 refused, 1 to be asked for, 2 permitted.
 */
inline admit(number, meaning, level) {
  PROMISE(a_snapshot_in_use_is_not_freed, !snapshot[number].freed);
  meaning = (request == 0 -> askable(authority(me, number)) : request);
  level = (meaning == 0 || !inside(meaning, askable(authority(me, number))) -> 0
           : (inside(meaning, permitted(authority(me, number))) -> 2 : 1))
}

/* What is true of a capability in any step that lets its call go on. */
inline promise_alive() {
  PROMISE(nothing_after_a_revocation_returned, !carried[me].gone && !gone);
  PROMISE(nothing_after_its_epoch_moved, !carried[me].outdated)
}

/* An end that comes from a moved epoch comes only to those whom an operator's act concerned: no false denial. */
inline promise_gained() {
  if
  :: not_revoked(me) && !not_moved(me) ->
     PROMISE(epochs_move_only_for_those_who_gained, carried[me].outdated)
  :: else
  fi
}

#define held(set) (consent[me] == approved -> askable(set) : permitted(set))

/* The hand-over of `done`: what was promised of it is asserted against everything that is true in this step. */
inline hand_over() {
  PROMISE(nothing_while_frozen, !frozen);
  PROMISE(inside_the_pinned_authority, inside(done, held(carried[me].pinned)));
  promise_alive();
  PROMISE(as_recorded_and_approved, done == args);
#ifdef POSTURE_BIND
  if
  :: waited -> PROMISE(inside_the_authority_in_force, inside(done, held(authority(me, current))));
               PROMISE(inside_every_generation_since_the_pin, inside(done, held(carried[me].meet)))
  :: else   -> PROMISE(inside_the_admitting_snapshot, inside(done, held(bound)))
  fi
#else
  PROMISE(inside_the_authority_in_force, inside(done, held(authority(me, current))));
  PROMISE(inside_every_generation_since_the_pin, inside(done, held(carried[me].meet)))
#endif
}

/* (b) of DESIGN 5.3: whether the call may go out as it was admitted, without being admitted afresh. */
#ifdef WAITED_NOT_READMITTED
#define as_admitted true
#else
#ifdef POSTURE_BIND
#define as_admitted (current == admitted || !waited)
#else
#define as_admitted (current == admitted)
#endif
#endif

/* Sets `passes` and `done`. */
inline last_check() {
  done = args;
#ifdef RE_RESOLVED
  admit(current, done, level);
  passes = level > 0;
#else
  if
  :: !(not_revoked(me) && not_moved(me)) -> promise_gained(); passes = false
  :: else ->
     if
     :: frozen -> passes = false
     :: !frozen && as_admitted -> passes = true
     :: else ->
        admit(current, done, level);
        passes = level == 2 || (level == 1 && consent[me] == approved);
#ifndef MEANING_NOT_SEALED
        passes = passes && done == args
#endif
     fi
  fi;
#endif
  level = 0
}

/* The call is over: nothing of it stays. */
inline over() {
  holds[me] = NONE;
#ifndef RELEASED_EARLY
  unpin(admitted);
#endif
  forget()
}

inline forget() {
  copy(carried[me], nobody);
  consent[me] = unasked;
  request = 0; args = 0; done = 0; level = 0; admitted = 0; bound = 0; waited = false; passes = false;
  holds[me] = NONE
}

proctype Caller(byte me) {
  byte request = 0; /* the access that is named, or 0: left out */
  byte args = 0;    /* what the call means, as admitted, recorded and shown to the approver */
  byte done = 0;    /* what the tool is handed */
  byte level = 0;
  byte admitted = 0; /* number of the snapshot that was loaded */
  byte bound = 0;    /* for the promises: the meet since the pin, when the call was admitted */
  bool waited = false;
  bool passes = false;

again:
  do
  :: true -> break
  :: atomic {
       if
       :: true /* another call in the session */
       :: me == 0 && !frozen -> mint(me)
       fi;
       if
       :: request = 0
       :: request = KEY
       fi;

       /* locate, load the snapshot once, compare, admit */
       copy(carried[me], session[me]);
       admitted = current;
       snapshot[admitted].pins++;
       holds[me] = admitted;
       if
       :: !(not_revoked(me) && not_moved(me)) -> promise_gained(); level = 0
       :: frozen -> level = 0
       :: else -> admit(admitted, args, level)
       fi;
       if
       :: level == 0 ->
#ifdef NEVER_RELEASED
          forget();
#else
          snapshot[admitted].pins--; forget();
#endif
          goto again
       :: else
       fi;
       promise_alive();
       bound = carried[me].meet;
#ifdef RELEASED_EARLY
       unpin(admitted);
#endif
       /* obligations: an approval, the turn of an exclusion, or nothing that takes a wait */
       if
       :: level == 1 -> consent[me] = asked; waited = true
       :: level == 2 -> waited = true
       :: level == 2
       fi;
#ifndef POSTURE_BIND
       bound = 0; waited = false; /* of no account */
#endif
       level = 0
     };

     /* the approval, the turn and the durable intent were waited for: last check and hand-over */
     atomic {
       if
       :: consent[me] != asked -> last_check()
       :: true /* refused or expired; or the intent cannot be written */
       fi;
       if
       :: passes
       :: else -> over(); goto again
       fi;
#ifdef CHECKED_BEFORE_A_WAIT
     };
     atomic {
#endif
       hand_over();
       if
       :: true
       :: me == 0 -> hung[me] = true
       fi;
       consent[me] = unasked;
       request = 0; args = 0; done = 0; bound = 0; waited = false; passes = false
     };

     /* in flight: the turn uses its powers while the capability lives; then the server answers, or the drain gives it up */
end_in_flight:
     atomic {
       !hung[me] ->
       if
       :: not_revoked(me) && not_moved(me) -> promise_alive()
       :: else
       fi;
       PROMISE(a_snapshot_in_use_is_not_freed, !snapshot[admitted].freed);
       over()
     }
  od
}
