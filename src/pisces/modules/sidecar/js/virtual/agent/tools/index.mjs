// The built-in tools, each as a definition (what extensions register) and as a tool (what an agent runs).

import { createBashToolDefinition, createLocalBashOperations } from "./bash.mjs";
import { createEditToolDefinition, createReadToolDefinition, createWriteToolDefinition } from "./files.mjs";
import { createFindToolDefinition, createGrepToolDefinition, createLsToolDefinition } from "./search.mjs";

export * from "./bash.mjs";
export { createEditToolDefinition, createReadToolDefinition, createWriteToolDefinition, detectSupportedImageMimeTypeFromFile, formatReadLineRange } from "./files.mjs";
export { createFindToolDefinition, createGrepToolDefinition, createLsToolDefinition } from "./search.mjs";

const DEFINITIONS = {
  read: createReadToolDefinition, bash: createBashToolDefinition, edit: createEditToolDefinition, write: createWriteToolDefinition,
  grep: createGrepToolDefinition, find: createFindToolDefinition, ls: createLsToolDefinition,
};
const CODING = ["read", "bash", "edit", "write"];
const READ_ONLY = ["read", "grep", "find", "ls"];

export const defineTool = (definition) => definition;

/** A definition as an agent runs it; the context that extensions get is added by whoever knows it. */
export function wrapRegisteredTool(registered, runner) {
  const definition = registered.definition ?? registered;
  const { name, label, description, parameters, prepareArguments, executionMode } = definition;
  const execute = (id, args, signal, onUpdate, context) => definition.execute(id, args, signal, onUpdate, context ?? runner?.createContext?.());
  return { name, label: label ?? name, description, parameters, prepareArguments, executionMode, execute };
}
export const wrapRegisteredTools = (registered, runner) => registered.map((each) => wrapRegisteredTool(each, runner));

const toolOf = (name) => (cwd, options) => wrapRegisteredTool(DEFINITIONS[name](cwd, options));
export const createReadTool = toolOf("read");
export const createBashTool = toolOf("bash");
export const createEditTool = toolOf("edit");
export const createWriteTool = toolOf("write");
export const createGrepTool = toolOf("grep");
export const createFindTool = toolOf("find");
export const createLsTool = toolOf("ls");

export const allToolNames = new Set(Object.keys(DEFINITIONS));
export const createToolDefinition = (name, cwd, options = {}) => DEFINITIONS[name](cwd, options[name]);
export const createTool = (name, cwd, options = {}) => wrapRegisteredTool(createToolDefinition(name, cwd, options));
const listOf = (names, make) => (cwd, options) => names.map((name) => make(name, cwd, options));
const tableOf = (make) => (cwd, options) => Object.fromEntries(Object.keys(DEFINITIONS).map((name) => [name, make(name, cwd, options)]));
export const createCodingTools = listOf(CODING, createTool);
export const createReadOnlyTools = listOf(READ_ONLY, createTool);
export const createCodingToolDefinitions = listOf(CODING, createToolDefinition);
export const createReadOnlyToolDefinitions = listOf(READ_ONLY, createToolDefinition);
export const createAllTools = tableOf(createTool);
export const createAllToolDefinitions = tableOf(createToolDefinition);
export const createLocalPowerShellOperations = () => createLocalBashOperations({ shellPath: "pwsh" });
