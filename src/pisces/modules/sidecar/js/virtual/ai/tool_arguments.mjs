// What a model sends to a tool, made to fit the tool's schema or refused with every misfit.

import { misfits } from "../typebox/misfits.mjs";
import { Clone, Convert } from "../typebox/value.mjs";

export function validateToolArguments(tool, call) {
  const given = Convert(tool.parameters, Clone(call.arguments));
  const wrong = [...misfits(tool.parameters, given)];
  if (!wrong.length) return given;
  const place = ({ instancePath, params }) => instancePath.slice(1).replaceAll("/", ".") || params.requiredProperties?.join(", ") || "root";
  const lines = wrong.map((misfit) => `  - ${place(misfit)}: ${misfit.message}`).join("\n");
  throw new Error(`Validation failed for tool "${call.name}":\n${lines}\n\nReceived arguments:\n${JSON.stringify(call.arguments, null, 2)}`);
}

export function validateToolCall(tools, call) {
  const tool = tools.find((each) => each.name === call.name);
  if (!tool) throw new Error(`Tool "${call.name}" not found`);
  return validateToolArguments(tool, call);
}
