// What `@sinclair/typebox` exports: the same builder with the JSON of that package; `/value` and `/compiler` beside it.

import * as schema from "./typebox/schema.mjs";
import { SINCLAIR, typeBuilder } from "./typebox/type.mjs";
import * as acts from "./typebox/value.mjs";

const Type = typeBuilder(SINCLAIR);
const Value = acts.sinclairValue();
const { AssertError, ValueErrorIterator, ValuePointer, HasTransform, Validator } = acts;
const { Kind, Hint, OptionalKind, ReadonlyKind, TransformKind } = schema;

class Registry {
  #known = new Map();
  Entries() { return new Map(this.#known); }
  Clear() { this.#known.clear(); }
  Delete(name) { return this.#known.delete(name); }
  Has(name) { return this.#known.has(name); }
  Set(name, check) { this.#known.set(name, check); }
  Get(name) { return this.#known.get(name); }
}

const guards = Object.fromEntries(Object.entries(Type).filter(([name]) => name.startsWith("Is")));
const TypeCompiler = { Compile: (target, references = []) => new Validator(Value, target, references), Code: () => "" };

export const root = {
  ...Type, Type, Kind, Hint, OptionalKind, ReadonlyKind, TransformKind, TypeGuard: guards, KindGuard: guards,
  FormatRegistry: new Registry(), TypeRegistry: new Registry(), TypeBoxError: class TypeBoxError extends Error {},
  JsonTypeBuilder: class JsonTypeBuilder {}, JavaScriptTypeBuilder: class JavaScriptTypeBuilder {},
  CloneType: schema.copied, PatternString: SINCLAIR.anyText, PatternStringExact: SINCLAIR.anyKey,
  PatternNumber: SINCLAIR.numberKey.slice(1, -1), PatternNumberExact: SINCLAIR.numberKey,
};
export const value = { ...Value, Value, AssertError, ValueErrorIterator, ValuePointer, HasTransform };
export const compiler = { TypeCompiler, TypeCheck: Validator, ValueErrorIterator };
