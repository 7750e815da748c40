// A tool's parameters as JSON Schema, whichever library they were written with.

export function schemaOf(parameters) {
  if (!parameters) return { type: "object", properties: {} };
  for (const name of ["toJSONSchema", "toJsonSchema"]) {
    if (typeof parameters[name] === "function") return plain(parameters[name]());
  }
  if (parameters._zod || parameters._def) return zodSchema(parameters);
  return plain(parameters);
}

const plain = (value) => JSON.parse(JSON.stringify(value));

/** zod 4 keeps the description of a type in `_zod.def`, zod 3 in `_def`: what matters to a model is read from both. */
function zodSchema(type) {
  const def = type._zod?.def ?? type._def;
  const kind = String(def.type ?? def.typeName ?? "").replace(/^Zod/, "").toLowerCase();
  const described = type.description ?? def.description;
  const found = (ZOD[kind] ?? (() => ({})))(def);
  return described ? { ...found, description: described } : found;
}

const inner = (def) => zodSchema(def.innerType ?? def.schema ?? def.in);
const ZOD = {
  string: () => ({ type: "string" }),
  number: () => ({ type: "number" }),
  boolean: () => ({ type: "boolean" }),
  null: () => ({ type: "null" }),
  literal: (def) => ({ enum: def.values ?? [def.value] }),
  enum: (def) => ({ type: "string", enum: Object.values(def.entries ?? def.values) }),
  array: (def) => ({ type: "array", items: zodSchema(typeof def.element === "object" ? def.element : def.type) }),
  record: (def) => ({ type: "object", additionalProperties: zodSchema(def.valueType) }),
  union: (def) => ({ anyOf: def.options.map(zodSchema) }),
  optional: inner,
  nullable: (def) => ({ anyOf: [inner(def), { type: "null" }] }),
  default: inner,
  effects: inner,
  pipe: inner,
  object(def) {
    const shape = typeof def.shape === "function" ? def.shape() : def.shape;
    const entries = Object.entries(shape);
    const isNeeded = ([, type]) => !/optional|default/i.test(String((type._zod?.def ?? type._def).type ?? type._def.typeName));
    return {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, type]) => [name, zodSchema(type)])),
      required: entries.filter(isNeeded).map(([name]) => name),
    };
  },
};
