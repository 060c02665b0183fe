package holdfast.verification.model;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * One configuration of the protocol: its size, its faults, its decisions and the properties that
 * are asked of it. The defaults are the protocol's first draft; {@link #asBuilt} is what the
 * libraries do. Copied with {@link #with}, never changed afterwards.
 */
final class Setup implements Cloneable {

  /** What a listener does with an event. */
  enum Listener {
    SUCCEEDS,
    FAILS,
    SUCCEEDS_OR_FAILS,
    /** Ends its JVM as soon as it starts. */
    KILLS,
    HANGS,
    KILLS_OR_FAILS,
    /** Ends its JVM at some moment while it runs. */
    KILLS_LATE
  }

  /** What a node does with a claimed event that already waits or runs in it. */
  enum Reserved {
    DROPPED,
    TAKES_NEW_TOKEN,
    ASKED_BEFORE_THE_CLAIM
  }

  /** What runs beside a suspect, an event whose lease expired before. */
  enum Suspects {
    CLAIMED_SINGLY,
    ONE_AT_A_TIME,
    NOTHING_BESIDE,
    GROUPS
  }

  // Size.
  int nodes = 2;
  int events = 1;
  int[] workers = {2, 2, 2};
  int maxAttempts = 2;
  int maxLapses = 2;
  int lease = 3;
  int renewal = 1;
  int drift = 0;
  int[] publisher = {0, 0, 0, 0};
  Listener[] listeners = {
    Listener.SUCCEEDS, Listener.SUCCEEDS, Listener.SUCCEEDS, Listener.SUCCEEDS
  };
  int[] aggregate = {0, 1, 2, 3};
  boolean ordered;
  boolean skipDead;

  /** The table has no leases. */
  boolean plain;

  /** At the start all events are committed and due, instead of not yet published. */
  boolean committedAtStart;

  /** At the start all events are leased by a node that is dead, and the leases have expired. */
  boolean lapsedAtStart;

  // Faults and what else may happen, some with a budget.
  int crashes;
  int pauses;
  int databaseErrors;
  int closes;
  int replays;
  boolean hotQueueMayBeFull;
  boolean mayRollBack;
  boolean savepoint;
  boolean purgeDead;

  /** A success of the type makes waiting retries due, at any time. */
  boolean retriesMadeDue;

  // Decisions.
  /** A listener starts only when more than this is left of the lease; else it is renewed first. */
  int startMargin = 0;

  boolean lockedNumber = true;
  boolean fenced = true;

  /** Retries that a node has claimed are not made due. */
  boolean claimedRetriesLeft = true;

  /** RETRY, DEAD and a release give the row a new token. */
  boolean endMovesToken;

  boolean replayMovesToken;
  boolean releaseKeepsSuspicion;

  /** That a suspect is alone is written at its start, not at its claim. */
  boolean aloneWrittenAtStart;

  /** Lapses have a counter of their own, raised at a suspect's start. */
  boolean lapsesCountedApart;

  /** After a close, listeners that still run keep their leases, and their outcomes are recorded. */
  boolean closedNodeRecordsWhatRuns;

  boolean clockStandsInTransaction;
  boolean standingClockKnown;
  boolean savepointSeen;
  boolean refusedIsNotReleased;

  /** Without leases, the poller leaves young rows to the hot path, and the hot path old ones. */
  boolean plainRowsHaveAge;

  /** An event that is not head waits in its worker instead of being released. */
  boolean waitsInWorker;

  Suspects suspects = Suspects.CLAIMED_SINGLY;
  int lapsesUntilSuspect = 1;
  Reserved reserved = Reserved.DROPPED;
  boolean closeReleasesWhatRuns = true;
  boolean lateCallbackReleases;

  /** What waits too long in a queue is released. */
  boolean longWaitingIsReleased;

  /** A renewal is sent and arrives in two steps. */
  boolean renewalInTwoSteps;

  boolean leasedOnInsert = true;
  boolean startCheck = true;
  boolean renewals = true;
  boolean unrecordedIsRenewed = true;
  boolean leaseMeasuredBeforeInsert = true;
  boolean headCheckOnHotPath = true;
  boolean headCheckInClaim = true;
  boolean replayTakesNextNumber;
  boolean failedRecordIsFailure;
  boolean everyLapseCounts;
  boolean noLapseCounts;
  // Decisions about groups of suspects.
  boolean oneGroupPerNode = true;
  boolean groupEndsWhenRecorded = true;
  boolean groupWrittenAtStart = true;
  boolean groupWrittenForAllAtOnce;
  boolean groupHalved = true;

  /** Others take the place of members that have ended. */
  boolean groupRefilled;

  /** An event released before it began as a suspect stays one, because its claim wrote so. */
  boolean claimWritesSuspicion = true;

  boolean lapseOnlyInGroupOfOne = true;
  boolean interruptedIsReleased;
  boolean interruptedLapseIsTakenBack = true;

  // Properties.
  boolean noDuplicates;
  boolean everyEventEnds = true;
  boolean innocentNeverDead;
  boolean oneAtATimePerAggregate;
  boolean cleanClose;
  boolean inOrder = true;
  boolean onlyOwnRows = true;
  int maxKills = 99;

  /** The only event that must end; all of them if negative. */
  int endingEvent = -1;

  Setup with(Consumer<Setup> change) {
    Setup copy = copy();
    change.accept(copy);
    return copy;
  }

  private Setup copy() {
    try {
      Setup copy = (Setup) clone();
      copy.workers = workers.clone();
      copy.publisher = publisher.clone();
      copy.listeners = listeners.clone();
      copy.aggregate = aggregate.clone();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** The protocol as the libraries have it, with one suspect at a time. */
  Setup asBuilt() {
    return with(
        c -> {
          c.startMargin = c.renewal + c.drift;
          c.endMovesToken = true;
          c.replayMovesToken = true;
          c.releaseKeepsSuspicion = true;
          c.lapsesCountedApart = true;
          c.closedNodeRecordsWhatRuns = true;
          c.suspects = Suspects.ONE_AT_A_TIME;
          c.reserved = Reserved.ASKED_BEFORE_THE_CLAIM;
          c.closeReleasesWhatRuns = false;
          c.lateCallbackReleases = true;
          c.longWaitingIsReleased = true;
        });
  }

  /** As built, with suspects in groups. */
  Setup grouped() {
    return asBuilt().with(c -> c.suspects = Suspects.GROUPS);
  }

  void max(int times) {
    maxAttempts = times;
    maxLapses = times;
  }

  void workers(int... each) {
    workers = each.length == 1 ? new int[] {each[0], each[0], each[0]} : each;
  }

  void listeners(Listener... each) {
    events = each.length;
    System.arraycopy(each, 0, listeners, 0, each.length);
  }

  boolean startsWithRows() {
    return committedAtStart || lapsedAtStart;
  }

  boolean hasListener(int event, Listener... any) {
    return Arrays.asList(any).contains(listeners[event]);
  }
}
