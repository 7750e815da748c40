// The schema builder that omp hands to extensions as `pi.zod`: as much of it as describes a tool's arguments. What only
// checks or converts further (refine, transform ...) is passed over; the schema says what a model needs to know.
import { misfits } from "./virtual/typebox/misfits.mjs";

class ZodType {
  constructor(schema, { isOptional = false } = {}) {
    this.schema = schema;
    this.isOptional = isOptional;
  }

  with(more) {
    return made({ ...this.schema, ...more }, this);
  }

  get description() { return this.schema.description; }

  toJSONSchema() { return this.schema; }
  toJSON() { return this.schema; }
  describe(description) { return this.with({ description }); }
  meta(more) { return this.with(more); }
  optional() { return made(this.schema, { isOptional: true }); }
  nullish() { return this.nullable().optional(); }
  nullable() { return made({ anyOf: [this.schema, { type: "null" }] }, this); }
  default(value) { return made({ ...this.schema, default: value }, { isOptional: true }); }
  array() { return z.array(this); }
  or(other) { return z.union([this, other]); }
  int() { return this.with({ type: "integer" }); }
  positive() { return this.with({ exclusiveMinimum: 0 }); }
  nonnegative() { return this.with({ minimum: 0 }); }
  multipleOf(multipleOf) { return this.with({ multipleOf }); }
  regex(pattern) { return this.with({ pattern: pattern.source }); }
  nonempty() { return this.min(1); }
  length(size) { return this.min(size).max(size); }
  min(least) { return this.with({ [SMALLEST[this.schema.type] ?? "minimum"]: least }); }
  max(most) { return this.with({ [LARGEST[this.schema.type] ?? "maximum"]: most }); }
  gte(least) { return this.min(least); }
  lte(most) { return this.max(most); }
  strict() { return this.with({ additionalProperties: false }); }
  passthrough() { return this.with({ additionalProperties: true }); }

  extend(shape) {
    const more = z.object(shape).schema;
    const required = [...(this.schema.required ?? []), ...(more.required ?? [])];
    return this.with({ properties: { ...this.schema.properties, ...more.properties }, required });
  }

  safeParse(value) {
    const given = value === undefined ? this.schema.default : value;
    if (given === undefined && this.isOptional) return { success: true, data: undefined };
    const [misfit] = misfits(this.schema, given);
    return misfit ? { success: false, error: new Error(misfit.message ?? "does not fit") } : { success: true, data: given };
  }

  parse(value) {
    const { success, data, error } = this.safeParse(value);
    if (!success) throw error;
    return data;
  }
}

const SMALLEST = { string: "minLength", array: "minItems" };
const LARGEST = { string: "maxLength", array: "maxItems" };
const FORMATS = { email: "email", url: "uri", uuid: "uuid", datetime: "date-time" };

/** A method that is not here narrows what is accepted, in a way that a schema cannot say: the type stays as it is. */
function made(schema, { isOptional } = {}) {
  const type = new ZodType(schema, { isOptional });
  return new Proxy(type, {
    get(target, name, receiver) {
      if (name in target || typeof name === "symbol" || name === "then" || name.startsWith("_")) return Reflect.get(target, name, receiver);
      return () => (name in FORMATS ? type.with({ format: FORMATS[name] }) : receiver);
    },
  });
}

const schemaFor = (type) => type.toJSONSchema();

export const z = {
  string: () => made({ type: "string" }),
  number: () => made({ type: "number" }),
  int: () => made({ type: "integer" }),
  boolean: () => made({ type: "boolean" }),
  null: () => made({ type: "null" }),
  any: () => made({}),
  unknown: () => made({}),
  date: () => made({ type: "string", format: "date-time" }),
  email: () => made({ type: "string", format: "email" }),
  url: () => made({ type: "string", format: "uri" }),
  literal: (value) => made(Array.isArray(value) ? { enum: value } : { const: value }),
  enum: (values) => made({ type: "string", enum: Array.isArray(values) ? [...values] : Object.values(values) }),
  nativeEnum: (values) => made({ enum: Object.values(values) }),
  array: (item) => made({ type: "array", items: schemaFor(item) }),
  tuple: (items) => made({ type: "array", prefixItems: items.map(schemaFor), minItems: items.length, maxItems: items.length }),
  record: (key, value) => made({ type: "object", additionalProperties: schemaFor(value ?? key) }),
  union: (options) => made({ anyOf: options.map(schemaFor) }),
  discriminatedUnion: (_, options) => made({ anyOf: options.map(schemaFor) }),
  intersection: (first, second) => made({ allOf: [schemaFor(first), schemaFor(second)] }),
  optional: (type) => type.optional(),
  nullable: (type) => type.nullable(),
  lazy: () => made({}),
  object(shape = {}) {
    const entries = Object.entries(shape);
    const required = entries.filter(([, type]) => !type.isOptional).map(([name]) => name);
    const properties = Object.fromEntries(entries.map(([name, type]) => [name, schemaFor(type)]));
    return made({ type: "object", properties, ...(required.length ? { required } : {}) });
  },
  strictObject: (shape) => z.object(shape).strict(),
  looseObject: (shape) => z.object(shape),
  toJSONSchema: schemaFor,
};
z.coerce = z;
z.z = z;
