package holdfast.verification.firsthour.mistakes;

import holdfast.verification.firsthour.mistakes.Messages.Step;

/**
 * What looks like a mistake and is none, or one that nobody can notice. Immutable.
 *
 * @param name what a user does, in plain words
 * @param behaviour what happens then, as the page says it
 * @param check fails if something else happens
 */
record LegalUse(String name, String behaviour, Step check) {

  @Override
  public String toString() {
    return name;
  }
}
