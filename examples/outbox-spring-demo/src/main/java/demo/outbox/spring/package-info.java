/**
 * Takes orders over HTTP. Writes each with its event in one transaction. Hands the event to a
 * listener that mails, and mails again when the mail server was down.
 */
@NullMarked
package demo.outbox.spring;

import org.jspecify.annotations.NullMarked;
