package eventlog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Compares JSON with a schema of the OpenAPI file, as far as that file uses what schemas offer.
 * Stricter in one thing: a field that the schema does not name is a mistake. Immutable.
 */
final class ContractSchema {
  private final JsonNode schemas;

  /** The schemas of a contract. */
  ContractSchema(JsonNode contract) {
    this.schemas = contract.path("components").path("schemas");
  }

  /** What is wrong with a value; empty if it is as the schema says. */
  List<String> mistakes(JsonNode schema, JsonNode value) {
    List<String> mistakes = new ArrayList<>();
    check(schema, value, "$", mistakes);
    return mistakes;
  }

  private void check(JsonNode schema, JsonNode value, String where, List<String> mistakes) {
    if (schema.has("$ref")) {
      check(schemas.path(name(schema)), value, where, mistakes);
      return;
    }
    String type = schema.path("type").asString();
    if (!isOfType(type, value)) {
      mistakes.add("%s must be of type %s but is %s".formatted(where, type, value));
      return;
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      mistakes.add("%s must be one of %s but is %s".formatted(where, schema.path("enum"), value));
    }
    if (schema.path("format").asString("").equals("date-time")) {
      Instant.parse(value.asString());
    }
    if (value.size() < schema.path("minItems").asInt(0)) {
      mistakes.add(where + " has too few items: " + value);
    }
    for (int i = 0; type.equals("array") && i < value.size(); i++) {
      check(schema.path("items"), value.path(i), where + "[" + i + "]", mistakes);
    }
    if (type.equals("object")) {
      fields(schema, value, where, mistakes);
    }
  }

  private void fields(JsonNode schema, JsonNode value, String where, List<String> mistakes) {
    schema
        .path("required")
        .valueStream()
        .map(JsonNode::asString)
        .filter(name -> !value.has(name))
        .forEach(name -> mistakes.add(where + " has no " + name));
    if (schema.path("additionalProperties").asBoolean(false)) {
      return;
    }
    for (String name : value.propertyNames()) {
      JsonNode field = schema.path("properties").path(name);
      if (field.isMissingNode()) {
        mistakes.add(where + " has a field that nobody knows: " + name);
      } else {
        check(field, value.path(name), where + "." + name, mistakes);
      }
    }
  }

  private static String name(JsonNode reference) {
    return reference.path("$ref").asString().replace("#/components/schemas/", "");
  }

  private static boolean isOfType(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> throw new IllegalArgumentException("a type this test does not know: " + type);
    };
  }
}
