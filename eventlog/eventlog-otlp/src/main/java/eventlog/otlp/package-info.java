/**
 * Takes events. Makes them log records of OpenTelemetry and sends them to a collector by OTLP over
 * HTTP, as protobuf or JSON. Hands back what the collector's answer means for the events.
 */
@NullMarked
package eventlog.otlp;

import org.jspecify.annotations.NullMarked;
