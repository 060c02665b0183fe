package relay.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The relay's way to the brokers. Safe for use by many threads. */
interface BrokerConnection {

  /** Makes what is needed; does not wait for a broker. */
  void open();

  /**
   * Returns if the topic exists, creating it first where the relay is to do that.
   *
   * @throws Exception if it does not exist, or nothing is known within some seconds
   */
  void requireTopic(String topic) throws Exception;

  /** Sends a record; the callback hears how that ended. */
  void send(ProducerRecord<String, byte[]> record, Callback callback);

  /** Replaces a producer that may never work again, where that is the relay's own. */
  void renew();

  /** Lets what is sent end in time and gives back what is the relay's own. */
  void close(Duration timeout);
}
