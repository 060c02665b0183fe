package relay.kafka;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** What a failure to send says about the event, and about the broker. */
sealed interface Verdict {

  /** The event can never be sent as it is. */
  record Refused(RefusedEventException failure) implements Verdict {

    /** Whether the refusal shows that the broker is there: the client itself refuses sizes. */
    boolean isByBroker() {
      return failure.reason() != FailureReason.RECORD_TOO_LARGE
          && failure.reason() != FailureReason.INVALID_EVENT;
    }
  }

  /**
   * No event can be sent now.
   *
   * @param cause what the client said
   * @param needsNewProducer whether this producer may never work again
   */
  record Unavailable(Exception cause, boolean needsNewProducer) implements Verdict {}

  /** Something else, which the outbox treats as any failure of a listener. */
  record Other(Exception cause) implements Verdict {}

  /**
   * Judges a failure.
   *
   * @param thrown what the client threw, or gave to the callback
   * @param topic where the record was to go
   */
  static Verdict of(Exception thrown, String topic) {
    Exception failure = decisive(thrown);
    if (failure instanceof RefusedEventException refused) {
      return new Refused(refused);
    }
    String refusal = refusal(failure, topic);
    if (refusal != null) {
      return new Refused(new RefusedEventException(reason(failure), refusal, failure));
    }
    if (failure instanceof InterruptException) {
      return new Other(failure);
    }
    if (failure instanceof RetriableException
        || failure instanceof TimeoutException
        || failure instanceof InvalidReplicationFactorException) {
      return new Unavailable(failure, false);
    }
    if (needsNewProducer(failure)) {
      return new Unavailable(failure, true);
    }
    return new Other(failure);
  }

  /** The client wraps what it knows about a topic in a timeout. */
  private static Exception decisive(Exception thrown) {
    Exception failure =
        thrown instanceof ExecutionException && thrown.getCause() instanceof Exception cause
            ? cause
            : thrown;
    boolean isOfTopic =
        failure.getCause() instanceof UnknownTopicOrPartitionException
            || failure.getCause() instanceof TopicAuthorizationException;
    return isOfTopic && failure.getCause() instanceof Exception cause ? cause : failure;
  }

  private static FailureReason reason(Exception failure) {
    if (failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException) {
      return FailureReason.RECORD_TOO_LARGE;
    }
    if (failure instanceof UnknownTopicOrPartitionException) {
      return FailureReason.UNKNOWN_TOPIC;
    }
    if (failure instanceof InvalidTopicException) {
      return FailureReason.INVALID_TOPIC;
    }
    return failure instanceof TopicAuthorizationException
            || failure instanceof PolicyViolationException
        ? FailureReason.NOT_AUTHORIZED
        : FailureReason.INVALID_EVENT;
  }

  private static @Nullable String refusal(Exception failure, String topic) {
    String fix = fix(failure);
    return fix == null
        ? null
        : "Kafka refuses the event for topic '"
            + topic
            + "': "
            + failure.getMessage()
            + " Fix: "
            + fix
            + "; then redeliver the event.";
  }

  private static @Nullable String fix(Exception failure) {
    if (failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException) {
      return "raise max.request.size of the producer and max.message.bytes of the topic, set"
          + " compression.type, or publish a reference to the content";
    }
    if (failure instanceof UnknownTopicOrPartitionException) {
      return "create the topic, correct topic(...) of the relay, or let it create topics with"
          + " createTopics(partitions, replication)";
    }
    if (failure instanceof InvalidTopicException) {
      return "correct topic(...) of the relay";
    }
    if (failure instanceof TopicAuthorizationException) {
      return "allow the client WRITE and DESCRIBE on the topic, and CREATE if the relay creates"
          + " topics";
    }
    if (failure instanceof PolicyViolationException) {
      return "create the topic by hand, or as the broker's policy demands";
    }
    if (failure instanceof SerializationException) {
      return "leave serializers and interceptors to the relay, or correct them";
    }
    return failure instanceof InvalidRecordException
        ? "give the event what the topic demands; a compacted topic needs a key"
        : null;
  }

  /**
   * Wrong credentials and missing rights on the cluster are not the event's fault: the relay waits
   * until somebody has corrected them.
   */
  private static boolean needsNewProducer(Exception failure) {
    return failure instanceof AuthenticationException
        || failure instanceof AuthorizationException
        || failure instanceof ProducerFencedException
        || failure instanceof InvalidProducerEpochException
        || failure instanceof OutOfOrderSequenceException
        || failure instanceof UnsupportedVersionException
        || failure instanceof IllegalStateException
        || (failure instanceof KafkaException && !(failure instanceof ApiException));
  }
}
