// What one can do with a value and a schema: check, fill in defaults, convert, clean, decode, compare, change.

import { Buffer } from "node:buffer";
import { isOptional, kindOf, markOf } from "./schema.mjs";
import { fits, isEqual, misfits, unknownKeys } from "./misfits.mjs";

export class AssertError extends Error {
  constructor(errors, message = "Assert") {
    super(message);
    this.name = "AssertError";
    this.cause = { errors };
    this.errors = errors;
    this.error = errors[0];
  }

  Errors() {
    return this.errors;
  }
}
export class ParseError extends AssertError {}
export class DecodeError extends AssertError {}
export class EncodeError extends AssertError {}
export class CreateError extends Error {}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export const Clone = (value) => {
  if (Array.isArray(value)) return value.map(Clone);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, Clone(each)]));
};

export const Equal = isEqual;

/** Walk a schema and a value together; `change` gets each schema and its value, inner ones first. */
function walk(schema, value, change) {
  if (Array.isArray(value)) {
    const itemSchema = (index) => (Array.isArray(schema.items) ? schema.items[index] : schema.items);
    value = value.map((each, index) => (itemSchema(index) ? walk(itemSchema(index), each, change) : each));
  } else if (isObject(value) && (schema.properties || schema.patternProperties)) {
    value = walkProperties(schema, value, change);
  }
  for (const each of schema.allOf ?? []) value = walk(each, value, change);
  return change(schema, value);
}

function walkProperties(schema, value, change) {
  const changed = { ...value };
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const inner = walk(property, value[key], change);
    if (inner !== undefined || key in value) changed[key] = inner;
  }
  for (const [pattern, each] of Object.entries(schema.patternProperties ?? {})) {
    for (const key of Object.keys(value)) if (new RegExp(pattern).test(key)) changed[key] = walk(each, value[key], change);
  }
  return changed;
}

const defaultOf = (schema) => (typeof schema.default === "function" ? schema.default() : Clone(schema.default));

/** Missing values replaced by what `default` says; an object that is missing is not made up. */
export function Default(schema, value) {
  const filled = value === undefined && "default" in schema ? defaultOf(schema) : value;
  return walk(schema, filled, (inner, each) => {
    if (each === undefined) return "default" in inner ? Default(inner, undefined) : each;
    const member = inner.anyOf?.find((option) => fits(option, Default({ ...option, anyOf: undefined }, each)));
    return member ? Default(member, each) : each;
  });
}

const TRUE = ["true", "1", 1];
const FALSE = ["false", "0", 0];
const CONVERSIONS = {
  string: (value) => (["number", "boolean", "bigint"].includes(typeof value) ? String(value) : value),
  number: (value) => (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : typeof value === "boolean" ? Number(value) : value),
  integer: (value) => {
    const number = CONVERSIONS.number(value);
    return typeof number === "number" && Number.isFinite(number) ? Math.trunc(number) : value;
  },
  boolean: (value) => (TRUE.includes(lower(value)) ? true : FALSE.includes(lower(value)) ? false : value),
  null: (value) => (lower(value) === "null" ? null : value),
};
const lower = (value) => (typeof value === "string" ? value.toLowerCase() : value);

function converted(schema, value) {
  if ("const" in schema) return converted({ type: typeof schema.const }, value) === schema.const ? schema.const : value;
  if (schema.anyOf) return fits(schema, value) ? value : (schema.anyOf.map((each) => Convert(each, value)).find((each) => fits(schema, each)) ?? value);
  if (schema.type === "array" && value !== undefined && value !== null && !Array.isArray(value)) return [Convert(schema.items ?? {}, value)];
  return value === undefined ? value : (CONVERSIONS[schema.type]?.(value) ?? value);
}

/** Values of a near type made into the type that the schema wants: "3" into 3. */
export const Convert = (schema, value) => walk(schema, value, converted);

/** A copy without properties that the schema does not name. */
export function Clean(schema, value) {
  return walk(schema, value, (inner, each) => {
    if (inner.anyOf) {
      const member = inner.anyOf.find((option) => fits(option, each));
      return member ? Clean(member, each) : each;
    }
    if (!isObject(each) || !inner.properties || isObject(inner.additionalProperties)) return each;
    const unknown = new Set(unknownKeys(inner, each));
    return Object.fromEntries(Object.entries(each).filter(([key]) => !unknown.has(key)));
  });
}

const CREATED = { string: "", number: 0, integer: 0, boolean: false, null: null, bigint: 0n };

/** The least value that fits: defaults where there are some, required properties only. */
export function Create(schema) {
  if ("default" in schema) return defaultOf(schema);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return Create(schema.anyOf[0]);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(Create));
  if (schema.type === "object") return createdObject(schema);
  if (schema.type === "array") return Array.isArray(schema.items) ? schema.items.map(Create) : Array.from({ length: schema.minItems ?? 0 }, () => Create(schema.items));
  if (["number", "integer"].includes(schema.type)) return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  if (kindOf(schema) === "Never") throw new CreateError("Cannot create a value of type never");
  return schema.type === "string" ? "".padEnd(schema.minLength ?? 0) : schema.type ? CREATED[schema.type] : {};
}

function createdObject(schema) {
  const keys = Object.keys(schema.properties ?? {}).filter((key) => schema.required?.includes(key) || !(schema.required || isOptional(schema.properties[key])));
  return Object.fromEntries(keys.map((key) => [key, Create(schema.properties[key])]));
}

/** The value made to fit: what fits is kept, what does not is created. */
export function Repair(schema, value) {
  if (fits(schema, value)) return Clone(value);
  const near = Convert(schema, Default(schema, value));
  if (fits(schema, near)) return near;
  if (schema.type !== "object" || !isObject(value)) return Create(schema);
  const kept = Object.entries(schema.properties ?? {}).filter(([key]) => key in value || schema.required?.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, Repair(each, value[key])]));
}
export const Cast = Repair;

const hasCodec = (schema) => {
  if (schema === null || typeof schema !== "object") return false;
  return Boolean(markOf(schema, "codec")) || Object.values(schema).some((each) => (Array.isArray(each) ? each.some(hasCodec) : hasCodec(each)));
};
export const HasCodec = hasCodec;
export const HasTransform = hasCodec;

const decoded = (schema, value) => walk(schema, value, (inner, each) => (each === undefined ? each : (markOf(inner, "codec")?.Decode ?? ((same) => same))(each)));

function encoded(schema, value) {
  const own = markOf(schema, "codec")?.Encode;
  const outer = own && value !== undefined ? own(value) : value;
  if (isObject(outer) && schema.properties) {
    return Object.fromEntries(Object.entries(outer).map(([key, each]) => [key, schema.properties[key] ? encoded(schema.properties[key], each) : each]));
  }
  return Array.isArray(outer) && schema.items && !Array.isArray(schema.items) ? outer.map((each) => encoded(schema.items, each)) : outer;
}

/** Differences as edits: inserts, then updates, then deletes. */
export function Diff(left, right) {
  const edits = { insert: [], update: [], delete: [] };
  compare(left, right, "", edits);
  return [...edits.insert, ...edits.update, ...edits.delete.reverse()];
}

function compare(left, right, path, edits) {
  const isNested = (isObject(left) && isObject(right)) || (Array.isArray(left) && Array.isArray(right));
  if (!isNested) {
    if (!isEqual(left, right)) edits.update.push({ type: "update", path, value: right });
    return;
  }
  for (const key of Object.keys(right)) if (!(key in left)) edits.insert.push({ type: "insert", path: `${path}/${key}`, value: right[key] });
  for (const key of Object.keys(left)) {
    if (key in right) compare(left[key], right[key], `${path}/${key}`, edits);
    else edits.delete.push({ type: "delete", path: `${path}/${key}` });
  }
}

export function Patch(value, edits) {
  let changed = Clone(value);
  for (const edit of edits) {
    if (edit.path === "") changed = Clone(edit.value);
    else if (edit.type === "delete") Pointer.Delete(changed, edit.path);
    else Pointer.Set(changed, edit.path, Clone(edit.value));
  }
  return changed;
}

const keysOfPath = (path) => path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

export const Pointer = {
  Indices: keysOfPath,
  Has: (value, path) => Pointer.Get(value, path) !== undefined,
  Get: (value, path) => keysOfPath(path).reduce((inner, key) => inner?.[key], value),
  Set: (value, path, changed) => {
    const keys = keysOfPath(path);
    const last = keys.pop();
    const owner = keys.reduce((inner, key) => (inner[key] ??= {}), value);
    owner[last] = changed;
    return value;
  },
  Delete: (value, path) => {
    const keys = keysOfPath(path);
    const last = keys.pop();
    const owner = keys.reduce((inner, key) => inner?.[key], value);
    if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else if (owner) delete owner[last];
    return value;
  },
};
export const ValuePointer = Pointer;

const PRIME = 1099511628211n;

/** FNV-1a over the JSON of a value. */
export function Hash(value) {
  let hash = 14695981039346656037n;
  for (const byte of Buffer.from(JSON.stringify(value) ?? "undefined")) hash = ((hash ^ BigInt(byte)) * PRIME) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
}

/** Both packages accept references: one before the schema, the other after it. */
function argumentsOf(given) {
  if (given.length < 3) return { schema: given[0], value: given[1], references: [] };
  const isList = Array.isArray(given[1]);
  const context = isList ? given[1] : Object.entries(given[0]).map(([$id, each]) => ({ ...each, $id }));
  return { schema: isList ? given[0] : given[1], value: given[2], references: context };
}

const takingReferences = (act) => (...given) => {
  const { schema, value, references } = argumentsOf(given);
  return act(schema, value, references);
};

const SINCLAIR_MESSAGES = {
  type: ({ schema, value }) => (value === undefined ? "Expected required property" : `Expected ${schema.type}`),
  required: () => "Expected required property",
  const: ({ schema }) => `Expected '${schema.const}'`,
  anyOf: () => "Expected union value",
  additionalProperties: () => "Unexpected property",
  minimum: ({ schema }) => `Expected ${schema.type} to be greater or equal to ${schema.minimum}`,
  maximum: ({ schema }) => `Expected ${schema.type} to be less or equal to ${schema.maximum}`,
  exclusiveMinimum: ({ schema }) => `Expected ${schema.type} to be greater than ${schema.exclusiveMinimum}`,
  exclusiveMaximum: ({ schema }) => `Expected ${schema.type} to be less than ${schema.exclusiveMaximum}`,
  multipleOf: ({ schema }) => `Expected ${schema.type} to be a multiple of ${schema.multipleOf}`,
  minLength: ({ schema }) => `Expected string length greater or equal to ${schema.minLength}`,
  maxLength: ({ schema }) => `Expected string length less or equal to ${schema.maxLength}`,
  pattern: ({ schema }) => `Expected string to match '${schema.pattern}'`,
  minItems: ({ schema }) => `Expected array length to be greater or equal to ${schema.minItems}`,
  maxItems: ({ schema }) => `Expected array length to be less or equal to ${schema.maxItems}`,
};

/** The misfits as `@sinclair/typebox` tells them: one for each path, a missing property at its own path. */
function* sinclairErrors(schema, value, references) {
  for (const misfit of misfits(schema, value, references)) {
    if (misfit.keyword === "boolean" || misfit.schemaPath.includes("/anyOf/")) continue;
    const message = SINCLAIR_MESSAGES[misfit.keyword]?.(misfit) ?? misfit.message;
    const names = misfit.params.requiredProperties ?? misfit.params.additionalProperties ?? [null];
    for (const name of names) {
      const path = name === null ? misfit.instancePath : `${misfit.instancePath}/${name}`;
      const inner = name === null ? misfit.value : misfit.value[name];
      yield { type: misfit.keyword, schema: misfit.schema.properties?.[name] ?? misfit.schema, path, value: inner, message, errors: [] };
    }
  }
}

export class ValueErrorIterator {
  constructor(errors) {
    this.errors = [...errors];
  }

  First() {
    return this.errors[0];
  }

  [Symbol.iterator]() {
    return this.errors[Symbol.iterator]();
  }
}

const plain = ({ keyword, schemaPath, instancePath, params, message }) => ({ keyword, schemaPath, instancePath, params, message });

const shared = { Clone, Equal, Diff, Patch, Hash, Pointer, HasCodec, Repair: takingReferences(Repair) };
const steps = {
  Check: takingReferences(fits),
  Default: takingReferences(Default),
  Convert: takingReferences(Convert),
  Clean: takingReferences(Clean),
  Create: (...given) => Create(given.at(-1)),
};

function checked(schema, value, references, failure) {
  if (!fits(schema, value, references)) throw failure([...misfits(schema, value, references)].map(plain), schema, value);
  return value;
}

const prepared = (schema, value) => Clean(schema, Convert(schema, Default(schema, Clone(value))));

/** The namespace `Value` of `typebox`. */
export function typeboxValue() {
  return {
    ...shared,
    ...steps,
    Errors: takingReferences((schema, value, references) => [...misfits(schema, value, references)].map(plain)),
    Assert: takingReferences((schema, value, references) => void checked(schema, value, references, (errors) => new AssertError(errors))),
    Parse: takingReferences((schema, value, references) => checked(schema, value, references, (errors) => new ParseError(errors, "Parse"))),
    Decode: takingReferences((schema, value, references) =>
      decoded(schema, checked(schema, prepared(schema, value), references, (errors) => new DecodeError(errors, "Decode"))),
    ),
    Encode: takingReferences((schema, value) => encoded(schema, value)),
  };
}

/** The namespace `Value` of `@sinclair/typebox`. */
export function sinclairValue() {
  const failure = (_errors, schema, value) => {
    const errors = [...sinclairErrors(schema, value, [])];
    return new AssertError(errors, errors[0]?.message ?? "Assert");
  };
  const undecodable = () => new DecodeError([], "Unable to decode value as it does not match the expected schema");
  return {
    ...shared,
    ...steps,
    Cast: takingReferences(Cast),
    Errors: takingReferences((schema, value, references) => new ValueErrorIterator(sinclairErrors(schema, value, references))),
    Assert: takingReferences((schema, value, references) => void checked(schema, value, references, failure)),
    Parse: takingReferences((schema, value, references) => decoded(schema, checked(schema, prepared(schema, value), references, failure))),
    Decode: takingReferences((schema, value, references) => decoded(schema, checked(schema, value, references, undecodable))),
    Encode: takingReferences((schema, value) => encoded(schema, value)),
    Mutate: (current, next) => Object.assign(current, next),
    Edit: undefined,
    ValueErrorIterator,
  };
}

/** A schema with the functions of a `Value` namespace bound to it, as the compilers give. */
export class Validator {
  constructor(value, schema, references = []) {
    Object.assign(this, { schema, references });
    const bound = (name) => (given) => (references.length ? value[name](schema, references, given) : value[name](schema, given));
    for (const name of ["Check", "Errors", "Parse", "Clean", "Convert", "Default", "Decode", "Encode"]) this[name] = bound(name);
    this.Create = () => Create(schema);
  }

  IsAccelerated() {
    return false;
  }

  Type() {
    return this.schema;
  }

  Schema() {
    return this.schema;
  }

  References() {
    return this.references;
  }

  Code() {
    return "";
  }
}
