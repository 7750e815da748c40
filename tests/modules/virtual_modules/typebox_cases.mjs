// Schemas and what is done with them, for one implementation of typebox at a time. Each is JSON, or the error's message.

const SCHEMAS = {
  string: (Type) => Type.String({ description: "d", minLength: 1 }),
  object: (Type) => Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()), c: Type.Readonly(Type.Boolean()) }, { additionalProperties: false }),
  empty: (Type) => Type.Object({}),
  allOptional: (Type) => Type.Object({ a: Type.Optional(Type.String()) }),
  array: (Type) => Type.Array(Type.Integer(), { minItems: 1 }),
  union: (Type) => Type.Union([Type.Literal("a"), Type.Literal(2), Type.Literal(true)]),
  unionOfOne: (Type) => Type.Union([Type.String()]),
  enumeration: (Type) => Type.Enum({ A: "a", B: "b" }),
  numbers: (Type) => Type.Enum({ A: 0, B: 1, 0: "A", 1: "B" }),
  record: (Type) => Type.Record(Type.String(), Type.Number()),
  recordOfNames: (Type) => Type.Record(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Number()),
  recordOfNumbers: (Type) => Type.Record(Type.Number(), Type.Any()),
  any: (Type) => [Type.Any(), Type.Unknown({ description: "u" }), Type.Null(), Type.Undefined(), Type.Void(), Type.Never(), Type.BigInt()],
  tuple: (Type) => Type.Tuple([Type.String(), Type.Number()]),
  emptyTuple: (Type) => Type.Tuple([]),
  intersection: (Type) => Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
  partial: (Type) => Type.Partial(Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }, { description: "q" })),
  required: (Type) => Type.Required(Type.Object({ a: Type.Optional(Type.String()) })),
  pick: (Type) => [Type.Pick(Type.Object({ a: Type.String(), b: Type.Number() }), ["a"]), Type.Omit(Type.Object({ a: Type.String(), b: Type.Number() }), ["a"])],
  keys: (Type) => Type.KeyOf(Type.Object({ a: Type.String(), b: Type.Number() })),
  unsafe: (Type) => Type.Unsafe({ type: "string", enum: ["a"] }),
  function: (Type) => Type.Function([Type.String()], Type.Number()),
  template: (Type) => Type.TemplateLiteral("a${string}b"),
  literal: (Type) => Type.Literal("x", { description: "l" }),
  withDefault: (Type) => Type.Object({ a: Type.Union([Type.String(), Type.Null()], { default: null }) }),
  reference: (Type) => Type.Ref("X"),
  exclude: (Type) => [Type.Exclude(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Literal("a")), Type.Extract(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Literal("a"))],
  index: (Type) => Type.Index(Type.Object({ a: Type.String() }), ["a"]),
  capital: (Type) => [Type.Capitalize(Type.Literal("abc")), Type.Uppercase(Type.Literal("abc"))],
  nested: (Type) => Type.Object({ a: Type.Array(Type.Object({ b: Type.Optional(Type.String()) })) }),
  partialUnion: (Type) => Type.Partial(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
};

// Only in `@sinclair/typebox`.
const OLDER = {
  composite: (Type) => Type.Composite([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
  date: (Type) => [Type.Date(), Type.Uint8Array(), Type.RegExp(/a+/), Type.Promise(Type.String()), Type.Not(Type.String())],
  recursive: (Type) => Type.Recursive((self) => Type.Object({ x: Type.Optional(self) }), { $id: "N" }),
  constant: (Type) => Type.Const({ a: 1 }),
};

const VALUES = [
  [(Type) => Type.Object({ a: Type.String(), b: Type.Optional(Type.Number({ minimum: 3 })) }, { additionalProperties: false }), { b: 1, c: 2 }],
  [(Type) => Type.Object({ a: Type.String() }), { a: "fits" }],
  [(Type) => Type.String({ minLength: 2, pattern: "^a" }), "b"],
  [(Type) => Type.Array(Type.Integer(), { minItems: 3 }), [1, "x"]],
  [(Type) => Type.Union([Type.Literal("a"), Type.Literal("b")]), "c"],
  [(Type) => Type.Literal("a"), 1],
  [(Type) => Type.Tuple([Type.String(), Type.Number()]), ["a"]],
  [(Type) => Type.Record(Type.String(), Type.Number()), { a: "x" }],
  [(Type) => Type.Object({ a: Type.Object({ b: Type.String() }) }), { a: {} }],
  [(Type) => Type.Integer({ maximum: 2, multipleOf: 2, exclusiveMinimum: 5 }), 3],
  [(Type) => Type.Enum({ A: "a" }), "z"],
  [(Type) => Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]), { a: "1" }],
  [(Type) => Type.Boolean(), "true"],
];

const defaults = (Type) => Type.Object({ a: Type.String({ default: "x" }), b: Type.Optional(Type.Number({ default: 2 })), c: Type.Object({ d: Type.Boolean({ default: true }) }) });
const number = (Type) => Type.Object({ n: Type.Number() });

const ACTS = {
  default: (Type, Value) => [Value.Default(defaults(Type), {}), Value.Default(defaults(Type), { c: {} })],
  create: (Type, Value) => [Value.Create(defaults(Type)), Value.Create(Type.Number({ minimum: 3 })), Value.Create(Type.Array(Type.String())), Value.Create(Type.Tuple([Type.String()]))],
  convert: (Type, Value) => Value.Convert(Type.Object({ n: Type.Number(), b: Type.Boolean(), s: Type.String() }), { n: "3", b: "true", s: 4 }),
  clean: (Type, Value) => Value.Clean(Type.Object({ a: Type.String() }), { a: "x", z: 1 }),
  parse: (Type, Value) => Value.Parse(number(Type), { n: 3 }),
  parseWrong: (Type, Value) => Value.Parse(number(Type), { n: "x" }),
  parseNear: (Type, Value) => Value.Parse(number(Type), { n: "3", z: 1 }),
  decode: (Type, Value) => Value.Decode(number(Type), { n: "3" }),
  assert: (Type, Value) => Value.Assert(Type.String(), 3),
  difference: (Type, Value) => Value.Patch({ a: 1, b: 2 }, Value.Diff({ a: 1, b: 2 }, { a: 2, c: 3 })),
};

const attempted = (act) => {
  try {
    return act() ?? null;
  } catch (error) {
    return `error: ${error.message}`;
  }
};

export const schemas = (Type, { isOlder } = {}) =>
  Object.fromEntries(Object.entries(isOlder ? { ...SCHEMAS, ...OLDER } : SCHEMAS).map(([name, make]) => [name, attempted(() => make(Type))]));

export const checks = (Type, Value) => VALUES.map(([make, value]) => [Value.Check(make(Type), value), [...Value.Errors(make(Type), value)].length > 0]);

export const errors = (Type, Value) => VALUES.map(([make, value]) => Value.Errors(make(Type), value));

export const values = (Type, Value) => Object.fromEntries(Object.entries(ACTS).map(([name, act]) => [name, attempted(() => act(Type, Value))]));
