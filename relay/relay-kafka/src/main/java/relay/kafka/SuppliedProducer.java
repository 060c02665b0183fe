package relay.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The application's producer, which stays open. Its settings cannot be seen. */
final class SuppliedProducer implements BrokerConnection {
  private final Producer<String, byte[]> producer;

  SuppliedProducer(Producer<String, byte[]> producer) {
    this.producer = producer;
  }

  @Override
  public void open() {
    // It is open.
  }

  @Override
  public void requireTopic(String topic) {
    producer.partitionsFor(topic);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback hears the same
  public void send(ProducerRecord<String, byte[]> record, Callback callback) {
    producer.send(record, callback);
  }

  @Override
  public void renew() {
    // Only the application can.
  }

  @Override
  public void close(Duration timeout) {
    // The application does.
  }
}
