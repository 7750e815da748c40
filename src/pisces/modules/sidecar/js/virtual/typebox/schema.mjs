// A schema is a plain JSON Schema object; what JSON Schema cannot say (its kind, that it is optional) hangs on it unseen.

export const Kind = Symbol.for("TypeBox.Kind");
export const Hint = Symbol.for("TypeBox.Hint");
export const OptionalKind = Symbol.for("TypeBox.Optional");
export const ReadonlyKind = Symbol.for("TypeBox.Readonly");
export const TransformKind = Symbol.for("TypeBox.Transform");

const MARKS = { kind: ["~kind", Kind], optional: ["~optional", OptionalKind], readonly: ["~readonly", ReadonlyKind], codec: ["~codec", TransformKind], refine: ["~refine"] };

/** A schema with marks; `shape` comes before `options`, as in the JSON that people know. */
export function schemaOf(kind, shape, options = {}) {
  return marked({ ...shape, ...(options ?? {}) }, { kind });
}

export function marked(schema, marks) {
  for (const [name, value] of Object.entries(marks)) {
    for (const key of MARKS[name]) setHidden(schema, key, value);
  }
  return schema;
}

function setHidden(schema, key, value) {
  if (value === undefined) delete schema[key];
  else Object.defineProperty(schema, key, { value, enumerable: false, configurable: true, writable: true });
}

export const markOf = (schema, name) => schema?.[MARKS[name][0]] ?? (MARKS[name][1] ? schema?.[MARKS[name][1]] : undefined);
export const kindOf = (schema) => markOf(schema, "kind") ?? guessedKind(schema);
export const isOptional = (schema) => Boolean(markOf(schema, "optional"));

/** A copy with the same marks, some of them changed. */
export function copied(schema, marks = {}, changes = {}) {
  const kept = Object.fromEntries(Object.keys(MARKS).map((name) => [name, markOf(schema, name)]).filter(([, value]) => value !== undefined));
  return marked({ ...schema, ...changes }, { ...kept, ...marks });
}

const BY_TYPE = { object: "Object", string: "String", number: "Number", integer: "Integer", boolean: "Boolean", array: "Array", null: "Null" };

function guessedKind(schema) {
  if (schema === null || typeof schema !== "object") return undefined;
  if ("const" in schema) return "Literal";
  if (schema.anyOf) return "Union";
  if (schema.allOf) return "Intersect";
  if (schema.type === "object" && schema.patternProperties && !schema.properties) return "Record";
  return BY_TYPE[schema.type];
}
