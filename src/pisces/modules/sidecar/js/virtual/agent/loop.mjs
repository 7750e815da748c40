// A small agent of an extension's own: ask the model, run the tools it calls, ask again, until it calls none.
// It ends with the message that says why; it does not throw.

import { EventStream } from "../ai/event_stream.mjs";
import { streamSimple } from "../ai/completion.mjs";
import { validateToolArguments } from "../ai/tool_arguments.mjs";

/** `config`: model, convertToLlm, and optionally transformContext, getApiKey, beforeToolCall, afterToolCall, get...Messages. */
export async function runAgentLoop(prompts, context, config, emit, signal, streamFn) {
  await emit({ type: "agent_start" });
  await emit({ type: "turn_start" });
  for (const message of prompts) await told(message, emit);
  const run = { context: { ...context, messages: [...context.messages, ...prompts] }, added: [...prompts], config, emit, signal, streamFn: streamFn ?? streamSimple };
  return turns(run);
}

export async function runAgentLoopContinue(context, config, emit, signal, streamFn) {
  if (!context.messages.length) throw new Error("Cannot continue: no messages in context");
  if (context.messages.at(-1).role === "assistant") throw new Error("Cannot continue from message role: assistant");
  await emit({ type: "agent_start" });
  await emit({ type: "turn_start" });
  return turns({ context: { ...context, messages: [...context.messages] }, added: [], config, emit, signal, streamFn: streamFn ?? streamSimple });
}

async function told(message, emit) {
  await emit({ type: "message_start", message });
  await emit({ type: "message_end", message });
}

async function add(run, message) {
  run.context.messages.push(message);
  run.added.push(message);
  await told(message, run.emit);
}

async function turns(run) {
  let waiting = (await run.config.getSteeringMessages?.()) ?? [];
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) await run.emit({ type: "turn_start" });
    for (const message of waiting) await add(run, message);
    const message = await answer(run);
    run.context.messages.push(message);
    run.added.push(message);
    const calls = message.content.filter((part) => part.type === "toolCall");
    const isOver = ["error", "aborted"].includes(message.stopReason);
    const toolResults = isOver ? [] : await results(run, message, calls);
    await run.emit({ type: "turn_end", message, toolResults });
    if (isOver || (await run.config.shouldStopAfterTurn?.({ message, toolResults, context: run.context }))) break;
    waiting = (await run.config.getSteeringMessages?.()) ?? [];
    if (!calls.length && !waiting.length) waiting = (await run.config.getFollowUpMessages?.()) ?? [];
    if (!calls.length && !waiting.length) break;
    if (toolResults.length && toolResults.every((result) => result.terminate) && !waiting.length) break;
  }
  await run.emit({ type: "agent_end", messages: run.added });
  return run.added;
}

async function answer({ context, config, emit, signal, streamFn }) {
  const messages = config.transformContext ? await config.transformContext(context.messages, signal) : context.messages;
  const asked = { systemPrompt: context.systemPrompt, messages: await config.convertToLlm(messages), tools: context.tools };
  const apiKey = (await config.getApiKey?.(config.model.provider)) ?? config.apiKey;
  const events = await streamFn(config.model, asked, { ...config, apiKey, signal });
  let isBegun = false;
  for await (const event of events) {
    if (event.type === "start") {
      isBegun = true;
      await emit({ type: "message_start", message: event.partial });
    } else if (event.partial) await emit({ type: "message_update", message: event.partial, assistantMessageEvent: event });
  }
  const message = await events.result();
  if (!isBegun) await emit({ type: "message_start", message });
  await emit({ type: "message_end", message });
  return message;
}

/** The results of a message's calls, in their order; side by side unless one tool or the run wants it otherwise. */
async function results(run, message, calls) {
  const isSequential = run.config.toolExecution === "sequential" || calls.some((call) => toolOf(run, call)?.executionMode === "sequential");
  const done = [];
  const finish = async (result) => {
    done.push(result);
    await add(run, result.message);
  };
  if (isSequential) for (const call of calls) await finish(await executed(run, message, call));
  else for (const result of await Promise.all(calls.map((call) => executed(run, message, call)))) await finish(result);
  return done.map(({ message: result, terminate }) => Object.defineProperty(result, "terminate", { value: terminate, enumerable: false }));
}

const toolOf = ({ context }, call) => context.tools?.find((tool) => tool.name === call.name);
const failed = (text) => ({ result: { content: [{ type: "text", text }], details: {} }, isError: true });

async function executed(run, assistantMessage, toolCall) {
  const named = { toolCallId: toolCall.id, toolName: toolCall.name };
  await run.emit({ type: "tool_execution_start", ...named, args: toolCall.arguments });
  const { result, isError } = await attempted(run, assistantMessage, toolCall, named);
  await run.emit({ type: "tool_execution_end", ...named, result, isError });
  const message = { role: "toolResult", ...named, content: result.content, details: result.details, isError, timestamp: Date.now() };
  return { message, terminate: Boolean(result.terminate) };
}

async function attempted(run, assistantMessage, toolCall, named) {
  const { config, context, signal, emit } = run;
  const tool = toolOf(run, toolCall);
  if (!tool) return failed(`Tool ${toolCall.name} not found`);
  try {
    const prepared = { ...toolCall, arguments: tool.prepareArguments?.(toolCall.arguments) ?? toolCall.arguments };
    const args = validateToolArguments(tool, prepared);
    const gate = await config.beforeToolCall?.({ assistantMessage, toolCall, args, context }, signal);
    if (gate?.block) return failed(gate.reason || "Tool execution was blocked");
    if (signal?.aborted) return failed("Operation aborted");
    const onUpdate = (partialResult) => void emit({ type: "tool_execution_update", ...named, args, partialResult });
    const result = await tool.execute(toolCall.id, args, signal, onUpdate);
    const patch = await config.afterToolCall?.({ assistantMessage, toolCall, args, result, isError: false, context }, signal);
    const { isError = false, ...changes } = patch ?? {};
    return { result: { ...result, ...changes }, isError };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error)); // a tool that fails tells the model
  }
}

const streaming = (start) => {
  const events = new EventStream((event) => event.type === "agent_end", (event) => event.messages);
  start((event) => events.push(event)).then((messages) => events.end(messages), () => events.end([]));
  return events;
};
export const agentLoop = (prompts, context, config, signal, streamFn) => streaming((emit) => runAgentLoop(prompts, context, config, emit, signal, streamFn));
export const agentLoopContinue = (context, config, signal, streamFn) => streaming((emit) => runAgentLoopContinue(context, config, emit, signal, streamFn));
