// What `typebox` exports: the builder `Type`, and each of its functions by name; `/value` and `/compile` beside it.

import * as schema from "./typebox/schema.mjs";
import { TYPEBOX, typeBuilder } from "./typebox/type.mjs";
import * as acts from "./typebox/value.mjs";

export const Type = typeBuilder(TYPEBOX);
const Value = acts.typeboxValue();
const { Pointer, AssertError, ParseError, DecodeError, EncodeError, CreateError, Validator } = acts;
const Compile = (...given) => (given.length > 1 ? new Validator(Value, given[1], Object.values(given[0])) : new Validator(Value, given[0]));

export const root = { ...Type, Type, default: Type, Kind: schema.Kind, _Object_: Type.Object, _Array_: Type.Array, _Function_: Type.Function };
export const value = { ...Value, Value, default: Value, Pointer, AssertError, ParseError, DecodeError, EncodeError, CreateError };
export const compile = { Compile, Validator, Code: () => ({ Code: "" }), default: Compile };
