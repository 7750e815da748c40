// The builder `Type`: each function makes a schema. `dialect` says where `typebox` and `@sinclair/typebox` differ.

import { copied, isOptional, kindOf, marked, schemaOf } from "./schema.mjs";
import * as derived from "./derived.mjs";

const literalType = (value) => ({ type: typeof value, const: value });
const values = (source) => (Array.isArray(source) ? source : Object.keys(source).filter((key) => Number.isNaN(Number(key))).map((key) => source[key]));
const enumLiterals = (source) => [...new Set(values(source))].map((value) => schemaOf("Literal", literalType(value)));

/** Where the two packages make different JSON of the same call. */
export const TYPEBOX = {
  anyKey: "^.*$",
  numberKey: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$",
  integerKey: "^-?(?:0|[1-9][0-9]*)$",
  anyText: ".*",
  union: (schemas, options) => schemaOf("Union", { anyOf: schemas }, options),
  enum: (source, options) => schemaOf("Enum", { enum: [...new Set(values(source))] }, options),
  tuple: (schemas, options) => schemaOf("Tuple", { type: "array", additionalItems: false, items: schemas, minItems: schemas.length }, options),
  intersect: (schemas, options) => schemaOf("Intersect", { allOf: schemas }, options),
  function: (parameters, returned, options) => schemaOf("Function", { type: "function", parameters, returnType: returned }, options),
  keepsOptions: false,
  flattensIntersect: true,
};

export const SINCLAIR = {
  anyKey: "^(.*)$",
  numberKey: "^(0|[1-9][0-9]*)$",
  integerKey: "^(0|[1-9][0-9]*)$",
  anyText: "(.*)",
  union: (schemas, options) => {
    if (schemas.length === 0) return schemaOf("Never", { not: {} }, options);
    return schemas.length === 1 ? copied(schemas[0], {}, options) : schemaOf("Union", { anyOf: schemas }, options);
  },
  enum: (source, options) => SINCLAIR.union(enumLiterals(source), options),
  tuple: (schemas, options) => {
    const length = { minItems: schemas.length, maxItems: schemas.length };
    const items = schemas.length ? { items: schemas, additionalItems: false } : {};
    return schemaOf("Tuple", { type: "array", ...items, ...length }, options);
  },
  intersect: (schemas, options) => {
    if (schemas.length === 1) return copied(schemas[0], {}, options);
    const isObject = schemas.every((schema) => schema.type === "object");
    return schemaOf("Intersect", { ...(isObject ? { type: "object" } : {}), allOf: schemas }, options);
  },
  function: (parameters, returned, options) => schemaOf("Function", { type: "Function", parameters, returns: returned }, options),
  keepsOptions: true,
  flattensIntersect: false,
};

/** `required` only where there is a property that must be there. */
export function objectOf(properties, options) {
  const required = Object.keys(properties).filter((key) => !isOptional(properties[key]));
  return schemaOf("Object", { type: "object", ...(required.length ? { required } : {}), properties }, options);
}

function recordOf(dialect, key, value, options) {
  const names = derived.literalsOf(key);
  if (names) return objectOf(Object.fromEntries(names.map((name) => [name, value])), options);
  const patterns = { Number: dialect.numberKey, Integer: dialect.integerKey };
  const pattern = patterns[kindOf(key)] ?? key.pattern ?? dialect.anyKey;
  return schemaOf("Record", { type: "object", patternProperties: { [pattern]: value } }, options);
}

function templateOf(dialect, template, options) {
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = { string: dialect.anyText, number: dialect.numberKey.slice(1, -1), integer: dialect.integerKey.slice(1, -1), boolean: "(true|false)" };
  const ofText = (text) => text.split(/\$\{(\w+)\}/).map((part, at) => (at % 2 ? (parts[part] ?? dialect.anyText) : escaped(part))).join("");
  const ofSchema = (schema) => (derived.literalsOf(schema) ? `(${derived.literalsOf(schema).map((each) => escaped(String(each))).join("|")})` : (parts[schema.type] ?? dialect.anyText));
  const source = typeof template === "string" ? ofText(template) : template.map((part) => (typeof part === "string" ? ofText(part) : ofSchema(part))).join("");
  return schemaOf("TemplateLiteral", { type: "string", pattern: `^${source}$` }, options);
}

let recursive = 0;

function recursiveOf(callback, options = {}) {
  const id = options.$id ?? `T${recursive++}`;
  const inner = callback(schemaOf("This", { $ref: id }));
  return copied(inner, {}, { $id: id, ...options });
}

const codecOf = (schema) => ({
  Decode: (decode) => ({ Encode: (encode) => copied(schema, { codec: { Decode: decode, Encode: encode, decode, encode } }) }),
});

const simple = (kind, shape) => (options) => schemaOf(kind, shape, options);

function basicTypes(dialect) {
  return {
    Any: simple("Any", {}),
    Unknown: simple("Unknown", {}),
    Never: simple("Never", { not: {} }),
    String: simple("String", { type: "string" }),
    Number: simple("Number", { type: "number" }),
    Integer: simple("Integer", { type: "integer" }),
    Boolean: simple("Boolean", { type: "boolean" }),
    Null: simple("Null", { type: "null" }),
    Undefined: simple("Undefined", { type: "undefined" }),
    Void: simple("Void", { type: "void" }),
    BigInt: simple("BigInt", { type: "bigint" }),
    Symbol: simple("Symbol", { type: "symbol" }),
    Date: simple("Date", { type: "Date" }),
    Uint8Array: simple("Uint8Array", { type: "Uint8Array" }),
    Literal: (value, options) => schemaOf("Literal", literalType(value), options),
    Enum: (source, options) => dialect.enum(source, options),
    Array: (items, options) => schemaOf("Array", { type: "array", items }, options),
    Tuple: (items, options) => dialect.tuple(items ?? [], options),
    Object: objectOf,
    Record: (key, value, options) => recordOf(dialect, key, value, options),
    Union: (schemas, options) => dialect.union(schemas, options),
    Intersect: (schemas, options) => dialect.intersect(schemas, options),
    Not: (schema, options) => schemaOf("Not", { not: schema }, options),
    TemplateLiteral: (template, options) => templateOf(dialect, template, options),
    RegExp: (source, options) => schemaOf("RegExp", { type: "RegExp", source: source.source ?? source, flags: source.flags ?? "" }, options),
    Function: (parameters, returned, options) => dialect.function(parameters, returned, options),
    Constructor: (parameters, returned, options) => copied(dialect.function(parameters, returned, options), { kind: "Constructor" }, { type: "constructor" }),
    Promise: (item, options) => schemaOf("Promise", { type: "Promise", item }, options),
    Iterator: (items, options) => schemaOf("Iterator", { type: "Iterator", items }, options),
    AsyncIterator: (items, options) => schemaOf("AsyncIterator", { type: "AsyncIterator", items }, options),
    Ref: (target, options) => schemaOf("Ref", { $ref: typeof target === "string" ? target : target.$id }, options),
    This: (options) => schemaOf("This", { $ref: "#" }, options),
    Unsafe: (schema) => marked({ ...(schema ?? {}) }, { kind: "Unsafe" }),
    Recursive: recursiveOf,
  };
}

const modifiers = {
  Optional: (schema, enabled = true) => copied(schema, { optional: enabled || undefined }),
  Readonly: (schema, enabled = true) => copied(schema, { readonly: enabled || undefined }),
  ReadonlyOptional: (schema) => copied(schema, { optional: true, readonly: true }),
  Immutable: (schema) => copied(schema),
  Options: (schema, options) => copied(schema, {}, options),
  With: (schema, options) => copied(schema, {}, options),
  Transform: codecOf,
  Codec: codecOf,
  Decode: (schema, decode) => copied(schema, { codec: { Decode: decode, decode } }),
  Encode: (schema, encode) => copied(schema, { codec: { Encode: encode, encode } }),
  Refine: (schema, check, message) => copied(schema, { refine: { check, message } }),
  Rest: (schema) => schema.items ?? schema.allOf ?? schema.anyOf ?? [],
};

function moduleOf(dialect, definitions) {
  const inlined = (name, seen = []) => {
    if (seen.includes(name)) return schemaOf("Ref", { $ref: name });
    const resolve = (value) => {
      if (Array.isArray(value)) return value.map(resolve);
      if (value === null || typeof value !== "object") return value;
      if (typeof value.$ref === "string" && value.$ref in definitions) return copied(inlined(value.$ref, [...seen, name]), { optional: isOptional(value) || undefined });
      return copied(value, {}, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)])));
    };
    return resolve(definitions[name]);
  };
  const names = Object.keys(definitions);
  return Object.assign(Object.fromEntries(names.map((name) => [name, inlined(name)])), { Import: (name, options) => copied(inlined(name), {}, options) });
}

export function typeBuilder(dialect) {
  const basic = basicTypes(dialect);
  const builder = { ...basic, ...modifiers, ...derived.builder(dialect, basic) };
  builder.Module = (definitions) => moduleOf(dialect, definitions);
  builder.Interface = (parents, properties, options) => objectOf(Object.assign({}, ...parents.map(derived.propertiesOf), properties), options);
  for (const kind of [...Object.keys(basic), "This"]) builder[`Is${kind}`] = (schema) => kindOf(schema) === kind;
  return Object.assign(builder, {
    IsOptional: isOptional,
    IsSchema: (schema) => schema !== null && typeof schema === "object",
    IsKind: (schema, kind) => kindOf(schema) === kind,
  });
}
