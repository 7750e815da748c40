// Where a value does not fit a schema: one misfit for each keyword, with the path in the value and in the schema.

import { kindOf, markOf } from "./schema.mjs";

const FORMATS = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[+-]\d{2}:?\d{2})?$/i,
  "date-time": /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[+-]\d{2}:?\d{2})$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  url: /^https?:\/\/\S+$/i,
  regex: { test: (text) => compiles(text) },
};

function compiles(text) {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false; // that it does not compile is the answer
  }
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

const TYPES = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  undefined: (value) => value === undefined,
  void: (value) => value === undefined,
  bigint: (value) => typeof value === "bigint",
  symbol: (value) => typeof value === "symbol",
  object: isObject,
  array: Array.isArray,
  function: (value) => typeof value === "function",
  Function: (value) => typeof value === "function",
  constructor: (value) => typeof value === "function",
  Promise: (value) => typeof value?.then === "function",
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  Uint8Array: (value) => value instanceof Uint8Array,
  RegExp: (value) => typeof value === "string",
};

const at = (path, key) => `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

class Place {
  constructor(schemaPath, instancePath, definitions) {
    Object.assign(this, { schemaPath, instancePath, definitions });
  }

  in(schemaKey, ...instanceKey) {
    const schemaPath = `${this.schemaPath}/${schemaKey}`;
    return new Place(schemaPath, instanceKey.length ? at(this.instancePath, instanceKey[0]) : this.instancePath, this.definitions);
  }

  misfit(keyword, message, schema, value, params = {}) {
    return { keyword, schemaPath: this.schemaPath, instancePath: this.instancePath, params, message, schema, value };
  }
}

export function* misfits(schema, value, references = []) {
  const definitions = new Map(references.filter((each) => each.$id).map((each) => [each.$id, each]));
  yield* check(schema, value, new Place("#", "", definitions));
}

export const fits = (schema, value, references = []) => misfits(schema, value, references).next().done;

const passes = (schema, value, place) => check(schema, value, place).next().done;

function* check(schema, value, place) {
  if (schema === true || schema === undefined) return;
  if (schema === false) return void (yield place.misfit("boolean", "schema is false", schema, value));
  if (schema.$id) place.definitions.set(schema.$id, schema);
  for (const [name, each] of Object.entries(schema.$defs ?? {})) place.definitions.set(name, each);
  if (schema.$ref !== undefined) yield* check(place.definitions.get(schema.$ref.replace(/^#\/\$defs\//, "")) ?? true, value, place);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const isRightType = !types.length || types.some((type) => TYPES[type]?.(value) ?? true);
  if (!isRightType) yield place.misfit("type", `must be ${types.join(" or ")}`, schema, value, { type: schema.type });
  if (kindOf(schema) !== "Never") yield* combinations(schema, value, place);
  else yield place.misfit("not", "must not be valid", schema, value);
  if ("const" in schema && !isEqual(schema.const, value)) yield place.misfit("const", "must be equal to constant", schema, value, { allowedValue: schema.const });
  if (schema.enum && !schema.enum.some((each) => isEqual(each, value))) {
    yield place.misfit("enum", "must be equal to one of the allowed values", schema, value, { allowedValues: schema.enum });
  }
  if (isRightType) yield* content(schema, value, place);
  const refine = markOf(schema, "refine");
  if (refine && !refine.check(value)) yield place.misfit("~refine", refine.message ?? "must pass refinement", schema, value);
}

function* content(schema, value, place) {
  if (typeof value === "string") yield* text(schema, value, place);
  else if (typeof value === "number" || typeof value === "bigint") yield* number(schema, value, place);
  else if (Array.isArray(value)) yield* array(schema, value, place);
  else if (isObject(value)) yield* object(schema, value, place);
}

function* combinations(schema, value, place) {
  if (schema.anyOf && !schema.anyOf.some((each, index) => passes(each, value, place.in(`anyOf/${index}`)))) {
    for (const [index, each] of schema.anyOf.entries()) yield* check(each, value, place.in(`anyOf/${index}`));
    yield place.misfit("anyOf", "must match a schema in anyOf", schema, value);
  }
  if (schema.oneOf && schema.oneOf.filter((each, index) => passes(each, value, place.in(`oneOf/${index}`))).length !== 1) {
    yield place.misfit("oneOf", "must match exactly one schema in oneOf", schema, value);
  }
  for (const [index, each] of (schema.allOf ?? []).entries()) yield* check(each, value, place.in(`allOf/${index}`));
  if (schema.not && passes(schema.not, value, place.in("not"))) yield place.misfit("not", "must not be valid", schema, value);
}

function* text(schema, value, place) {
  const length = [...value].length;
  if (length < schema.minLength) yield place.misfit("minLength", `must not have fewer than ${schema.minLength} characters`, schema, value, { limit: schema.minLength });
  if (length > schema.maxLength) yield place.misfit("maxLength", `must not have more than ${schema.maxLength} characters`, schema, value, { limit: schema.maxLength });
  if (schema.format && !(FORMATS[schema.format]?.test(value) ?? true)) {
    yield place.misfit("format", `must match format "${schema.format}"`, schema, value, { format: schema.format });
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
    yield place.misfit("pattern", `must match pattern "${schema.pattern}"`, schema, value, { pattern: schema.pattern });
  }
}

const LIMITS = [
  ["exclusiveMaximum", "<", (value, limit) => value < limit],
  ["exclusiveMinimum", ">", (value, limit) => value > limit],
  ["maximum", "<=", (value, limit) => value <= limit],
  ["minimum", ">=", (value, limit) => value >= limit],
];

function* number(schema, value, place) {
  for (const [keyword, comparison, holds] of LIMITS) {
    const limit = schema[keyword];
    if (limit !== undefined && !holds(value, limit)) yield place.misfit(keyword, `must be ${comparison} ${limit}`, schema, value, { comparison, limit });
  }
  if (schema.multipleOf !== undefined && Number(value) % Number(schema.multipleOf) !== 0) {
    yield place.misfit("multipleOf", `must be multiple of ${schema.multipleOf}`, schema, value, { multipleOf: schema.multipleOf });
  }
}

function* array(schema, value, place) {
  const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  for (const [index, each] of value.entries()) {
    if (tuple?.[index]) yield* check(tuple[index], each, place.in(`items/${index}`, index));
    else if (tuple && schema.additionalItems === false) yield place.misfit("additionalItems", "must not have additional items", schema, value);
    else if (!tuple && schema.items) yield* check(schema.items, each, place.in("items", index));
  }
  if (value.length < schema.minItems) yield place.misfit("minItems", `must not have fewer than ${schema.minItems} items`, schema, value, { limit: schema.minItems });
  if (value.length > schema.maxItems) yield place.misfit("maxItems", `must not have more than ${schema.maxItems} items`, schema, value, { limit: schema.maxItems });
  if (schema.uniqueItems && value.some((each, index) => value.slice(0, index).some((other) => isEqual(each, other)))) {
    yield place.misfit("uniqueItems", "must not have duplicate items", schema, value);
  }
}

function* object(schema, value, place) {
  const keys = Object.keys(value);
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined && !(key in value));
  if (missing.length) {
    const message = `must have required properties ${missing.join(", ")}`;
    yield place.misfit("required", message, schema, value, { requiredProperties: missing });
  }
  yield* additional(schema, value, place);
  for (const key of keys) {
    const property = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property && !(value[key] === undefined && !schema.required?.includes(key))) yield* check(property, value[key], place.in(`properties/${key}`, key));
    for (const [pattern, each] of Object.entries(schema.patternProperties ?? {})) {
      if (new RegExp(pattern).test(key)) yield* check(each, value[key], place.in(`patternProperties/${pattern}`, key));
    }
  }
  if (keys.length < schema.minProperties) {
    yield place.misfit("minProperties", `must not have fewer than ${schema.minProperties} properties`, schema, value, { limit: schema.minProperties });
  }
  if (keys.length > schema.maxProperties) {
    yield place.misfit("maxProperties", `must not have more than ${schema.maxProperties} properties`, schema, value, { limit: schema.maxProperties });
  }
}

/** The keys of a value that neither `properties` nor `patternProperties` of the schema name. */
export function unknownKeys(schema, value) {
  const patterns = Object.keys(schema.patternProperties ?? {}).map((pattern) => new RegExp(pattern));
  return Object.keys(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key) && !patterns.some((pattern) => pattern.test(key)));
}

function* additional(schema, value, place) {
  if (schema.additionalProperties === undefined || schema.additionalProperties === true) return;
  const unknown = unknownKeys(schema, value);
  for (const key of unknown) yield* check(schema.additionalProperties, value[key], place.in("additionalProperties", key));
  if (unknown.length && schema.additionalProperties === false) {
    yield place.misfit("additionalProperties", "must not have additional properties", schema, value, { additionalProperties: unknown });
  }
}

export function isEqual(first, second) {
  if (Object.is(first, second)) return true;
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null) return false;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const keys = Object.keys(first);
  return keys.length === Object.keys(second).length && keys.every((key) => Object.hasOwn(second, key) && isEqual(first[key], second[key]));
}
