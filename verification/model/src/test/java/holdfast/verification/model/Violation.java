package holdfast.verification.model;

/** How a property was violated. */
record Violation(Property property, String how) {}
