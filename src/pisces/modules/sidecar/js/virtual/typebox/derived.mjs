// Schemas made from other schemas: parts of an object, members of a union, changed literals.

import { copied, isOptional, kindOf, markOf, schemaOf } from "./schema.mjs";

/** All properties of an object, of an intersection's members, or of every member of a union. */
export function propertiesOf(schema) {
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(propertiesOf));
  if (!schema.anyOf) return schema.properties ?? {};
  const members = schema.anyOf.map(propertiesOf);
  const shared = Object.keys(members[0] ?? {}).filter((key) => members.every((member) => key in member));
  return Object.fromEntries(shared.map((key) => [key, members[0][key]]));
}

/** The values of a literal, an enumeration or a union of literals; null where the schema is something else. */
export function literalsOf(schema) {
  if (schema && "const" in schema) return [schema.const];
  if (schema?.enum) return schema.enum;
  const members = schema?.anyOf?.map(literalsOf);
  return members?.every(Boolean) ? members.flat() : null;
}

const keysOf = (keys) => (Array.isArray(keys) ? keys : typeof keys === "string" ? [keys] : (literalsOf(keys) ?? [])).map(String);
const membersOf = (schema) => schema.anyOf ?? [schema];

/** Whether every value of `left` is one of `right`, as far as the shape tells. */
export function isAssignable(left, right) {
  const kind = kindOf(right);
  if (kind === "Any" || kind === "Unknown" || kindOf(left) === "Never") return true;
  if (left.anyOf) return left.anyOf.every((member) => isAssignable(member, right));
  if (right.anyOf) return right.anyOf.some((member) => isAssignable(left, member));
  const literals = literalsOf(right);
  if (literals) return literalsOf(left)?.every((value) => literals.includes(value)) ?? false;
  if (right.type === "number" && left.type === "integer") return true;
  if (left.type !== right.type) return false;
  if (right.type === "array") return isAssignable(left.items ?? {}, right.items ?? {});
  const wanted = propertiesOf(right);
  const given = propertiesOf(left);
  return Object.keys(wanted).every((key) => (key in given ? isAssignable(given[key], wanted[key]) : isOptional(wanted[key])));
}

function combined(first, second, basic) {
  return JSON.stringify(first) === JSON.stringify(second) ? first : basic.Intersect([first, second]);
}

export function builder(dialect, basic) {
  const union = (schemas) => (schemas.length === 1 ? schemas[0] : schemas.length ? basic.Union(schemas) : basic.Never());
  const kept = (schema) => {
    if (!dialect.keepsOptions) return {};
    const { type, required, properties, allOf, anyOf, $id, ...options } = schema;
    return options;
  };

  /** Apply a change of properties to an object, and inside unions and intersections to their members. */
  const changed = (schema, change, options) => {
    if (schema.anyOf) return basic.Union(schema.anyOf.map((member) => changed(member, change)), options);
    if (schema.allOf && !dialect.flattensIntersect) return basic.Intersect(schema.allOf.map((member) => changed(member, change)), options);
    return basic.Object(change(propertiesOf(schema)), { ...kept(schema), ...options });
  };
  const mapped = (properties, change) => Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, change(value)]));
  const selected = (properties, isWanted) => Object.fromEntries(Object.entries(properties).filter(([key]) => isWanted(key)));
  const text = (schema, change, options) => {
    const literals = literalsOf(schema);
    return literals ? copied(union(literals.map((value) => basic.Literal(change(String(value))))), {}, options) : schema;
  };
  const indexed = (schema, keys) => {
    const properties = propertiesOf(schema);
    if (schema.items && !Array.isArray(schema.items)) return schema.items;
    const found = Array.isArray(schema.items) ? keysOf(keys).map((key) => schema.items[Number(key)]) : keysOf(keys).map((key) => properties[key]);
    return union(found.filter(Boolean).map((each) => copied(each, { optional: undefined })));
  };

  return {
    Partial: (schema, options) => changed(schema, (all) => mapped(all, (each) => copied(each, { optional: true })), options),
    Required: (schema, options) => changed(schema, (all) => mapped(all, (each) => copied(each, { optional: undefined })), options),
    ReadonlyObject: (schema, options) => changed(schema, (all) => mapped(all, (each) => copied(each, { readonly: true })), options),
    Pick: (schema, keys, options) => changed(schema, (all) => selected(all, (key) => keysOf(keys).includes(key)), options),
    Omit: (schema, keys, options) => changed(schema, (all) => selected(all, (key) => !keysOf(keys).includes(key)), options),
    KeyOf: (schema, options) => copied(union(Object.keys(propertiesOf(schema)).map((key) => basic.Literal(key))), {}, options),
    Index: (schema, keys, options) => copied(indexed(schema, keys), {}, options),
    Composite: (schemas, options) => {
      const properties = {};
      for (const schema of schemas) {
        for (const [key, value] of Object.entries(propertiesOf(schema))) properties[key] = key in properties ? combined(properties[key], value, basic) : value;
      }
      return basic.Object(properties, options);
    },
    Evaluate: (schema, options) => (schema.allOf ? basic.Object(propertiesOf(schema), options) : copied(schema, {}, options)),
    Exclude: (schema, other, options) => copied(union(membersOf(schema).filter((member) => !isAssignable(member, other))), {}, options),
    Extract: (schema, other, options) => copied(union(membersOf(schema).filter((member) => isAssignable(member, other))), {}, options),
    NonNullable: (schema, options) => copied(union(membersOf(schema).filter((member) => !["null", "undefined"].includes(member.type))), {}, options),
    Extends: (left, right, yes, no) => (isAssignable(left, right) ? yes : no),
    Conditional: (left, right, yes, no) => (isAssignable(left, right) ? yes : no),
    Mapped: (keys, change, options) => basic.Object(Object.fromEntries(keysOf(keys).map((key) => [key, change(basic.Literal(key))])), options),
    Capitalize: (schema, options) => text(schema, (value) => value.charAt(0).toUpperCase() + value.slice(1), options),
    Uncapitalize: (schema, options) => text(schema, (value) => value.charAt(0).toLowerCase() + value.slice(1), options),
    Uppercase: (schema, options) => text(schema, (value) => value.toUpperCase(), options),
    Lowercase: (schema, options) => text(schema, (value) => value.toLowerCase(), options),
    Parameters: (schema, options) => basic.Tuple(schema.parameters, options),
    ConstructorParameters: (schema, options) => basic.Tuple(schema.parameters, options),
    ReturnType: (schema, options) => copied(schema.returnType ?? schema.returns, {}, options),
    InstanceType: (schema, options) => copied(schema.returnType ?? schema.returns ?? schema.instanceType, {}, options),
    Awaited: (schema, options) => copied(schema.item ?? schema, {}, options),
    RecordKey: (schema) => basic.String({ pattern: Object.keys(schema.patternProperties)[0] }),
    RecordValue: (schema) => Object.values(schema.patternProperties)[0],
    RecordPattern: (schema) => Object.keys(schema.patternProperties)[0],
    Const: (value, options) => constant(value, basic, options),
    Instantiate: (_context, schema) => schema,
    IsCodec: (schema) => Boolean(markOf(schema, "codec")),
    IsRefine: (schema) => Boolean(markOf(schema, "refine")),
    IsReadonly: (schema) => Boolean(markOf(schema, "readonly")),
    Cyclic: (definitions, name, options) => schemaOf("Cyclic", { $defs: mapped(definitions, (each) => each), $ref: name }, options),
  };
}

function constant(value, basic, options) {
  if (Array.isArray(value)) return basic.Tuple(value.map((each) => constant(each, basic)), options);
  if (value === null) return basic.Null(options);
  if (value === undefined) return basic.Undefined(options);
  if (typeof value !== "object") return basic.Literal(value, options);
  return basic.Object(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, constant(each, basic)])), options);
}
