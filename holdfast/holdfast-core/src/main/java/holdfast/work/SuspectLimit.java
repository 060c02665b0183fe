package holdfast.work;

/**
 * How many suspects a claim may take: events whose lease has expired before, one of which may kill
 * the node. A node has one group of them at a time. Immutable.
 *
 * @param events how many at most
 * @param groupSize the size of the group that they join; 0 if they make a new one
 */
public record SuspectLimit(int events, int groupSize) {}
