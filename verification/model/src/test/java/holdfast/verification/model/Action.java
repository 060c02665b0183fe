package holdfast.verification.model;

/** The kinds of steps, with the text of a trace. */
enum Action {
  PUBLISH("publish", Names.EVENT),
  COMMIT("commit", Names.EVENT),
  ROLL_BACK("roll back", Names.EVENT),
  ENQUEUE("enqueue", Names.EVENT),
  REFUSE("the queue refuses", Names.EVENT),
  RELEASE("release", Names.ENTRY),
  CLAIM("claim", Names.EVENT),
  CLAIM_ARRIVES("the claim arrives of", Names.EVENT),
  CHECK("start check of", Names.ENTRY),
  START("start", Names.ENTRY),
  SUCCEED("the listener succeeds on", Names.ENTRY),
  FAIL("the listener fails on", Names.ENTRY),
  KILL("the JVM is killed by", Names.ENTRY),
  RECORD_DONE("record DONE of", Names.ENTRY),
  RECORD_RETRY("record RETRY of", Names.ENTRY),
  RENEW("renew", Names.NODE),
  TIME_PASSES("time passes", Names.NOTHING),
  CRASH("crash", Names.NODE),
  RESTART("restart", Names.NODE),
  PAUSE("pause", Names.NODE),
  RESUME("resume", Names.NODE),
  REFUSED_BY_DATABASE("the database refuses the update of", Names.ENTRY),
  ANSWER_LOST("the answer is lost after the update of", Names.ENTRY),
  CLOSE("close", Names.NODE),
  CLOSE_DEADLINE("the close reaches its deadline", Names.NODE),
  CLOSED("is closed", Names.NODE),
  REPLAY("an operator replays", Names.EVENT_ONLY),
  RENEWAL_ARRIVES("the renewal arrives of", Names.ENTRY),
  WAIT_TOO_LONG("waits too long:", Names.ENTRY),
  SAVEPOINT_ROLLED_BACK("roll back to the savepoint before", Names.ENTRY),
  PURGE("the purge removes", Names.EVENT_ONLY),
  RENEWAL_REFUSED("the database refuses the renewal", Names.NODE),
  CHECK_REFUSED("the database refuses the start check of", Names.ENTRY),
  CALLBACK_AFTER_CLOSE("the callback comes after the close:", Names.ENTRY),
  INTERRUPT("interrupt the listener of", Names.ENTRY),
  EXIT("exit", Names.NODE),
  RETRY_NOW("a success of its type makes due", Names.EVENT_ONLY);

  /** What the text of a step names besides the action. */
  enum Names {
    NOTHING,
    NODE,
    EVENT_ONLY,
    EVENT,
    ENTRY
  }

  final String text;
  final Names names;

  Action(String text, Names names) {
    this.text = text;
    this.names = names;
  }
}
