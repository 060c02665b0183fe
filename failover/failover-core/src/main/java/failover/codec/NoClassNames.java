package failover.codec;

import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Denies every class that is named in data. Types that would ask are refused at the start; this is
 * for those the check does not see. Stateless.
 */
final class NoClassNames extends PolymorphicTypeValidator {
  private static final long serialVersionUID = 1;

  /** Not denied yet, so that the check can say where. */
  @Override
  public Validity validateBaseType(DatabindContext context, JavaType base) {
    return Validity.INDETERMINATE;
  }

  @Override
  public Validity validateSubClassName(DatabindContext context, JavaType base, String name) {
    return Validity.DENIED;
  }

  @Override
  public Validity validateSubType(DatabindContext context, JavaType base, JavaType type) {
    return Validity.DENIED;
  }
}
