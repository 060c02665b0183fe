/**
 * The delivery engine under the libraries with a table. Takes events that are due, runs the
 * handlers of the library on a bounded number of threads, and records how each attempt ended.
 *
 * <ol>
 *   <li>{@link holdfast.work.ClaimLoop} asks the library to claim due events: for the workers that
 *       are free, and as many more as fast handlers will want next ({@link
 *       holdfast.work.Prefetch}). A library may also offer events it has just committed.
 *   <li>{@link holdfast.work.WorkEngine#offer} notes each as in flight and puts it into the {@link
 *       holdfast.work.WorkQueue}.
 *   <li>A thread of {@link holdfast.work.Workers} takes it. If little of its lease is left, or its
 *       lease has expired before, {@link holdfast.work.WorkStore#start} renews the lease first.
 *   <li>{@link holdfast.work.Attempt} runs the handlers and turns what they throw into an {@link
 *       holdfast.work.Outcome}; {@link holdfast.work.RunningHandlers} warns of those that hang and
 *       interrupts those that exceed their time limit.
 *   <li>{@link holdfast.work.OutcomeWriter} records outcomes together, each fenced by the token of
 *       its claim, and tries again until the table has them.
 *   <li>Once recorded, the event is no longer in flight, the library's {@link
 *       holdfast.work.WorkListener} is called, and the claim loop is woken if an event is due
 *       because of it. When a type succeeds again after failures, {@link
 *       holdfast.work.RecoveredTypes} makes its waiting retries due before the next claim.
 * </ol>
 *
 * <p>Beside this, {@link holdfast.work.LeaseRenewal} renews the lease of every event in flight, on
 * the writer's thread. {@link holdfast.work.InFlight} bounds the events in flight in bytes, and has
 * the one {@link holdfast.work.SuspectGroup} of a node: events whose lease has expired before, one
 * of which may kill the node. {@link holdfast.work.Nodes} knows whether other nodes are there, so
 * that a node leaves to them what would wait here, and which types are paused. When the engine is
 * closed, what no worker has begun is released.
 */
@NullMarked
package holdfast.work;

import org.jspecify.annotations.NullMarked;
