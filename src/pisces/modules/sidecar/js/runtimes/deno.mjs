// deno (2.9 and later) has node's hooks.
export { install } from "./node.mjs";
