// The class `Agent`: the loop with a memory, listeners, and messages that wait for their turn.

import { streamSimple } from "../ai/completion.mjs";
import { convertToLlm } from "./conversation.mjs";
import { runAgentLoop, runAgentLoopContinue } from "./loop.mjs";

class Waiting {
  messages = [];
  mode = "one-at-a-time";

  take() {
    return this.mode === "all" ? this.messages.splice(0) : this.messages.splice(0, 1);
  }
}

const asMessages = (input, images = []) => {
  if (typeof input !== "string") return [input].flat();
  return [{ role: "user", content: [{ type: "text", text: input }, ...images], timestamp: Date.now() }];
};

export class Agent {
  #listeners = new Set();
  #steering = new Waiting();
  #followUps = new Waiting();
  #run = null;

  constructor(options = {}) {
    const { initialState = {}, steeringMode, followUpMode, ...rest } = options;
    Object.assign(this, { convertToLlm, streamFn: streamSimple, toolExecution: "parallel" }, rest);
    this.state = {
      systemPrompt: "", model: undefined, thinkingLevel: "off", tools: [], messages: [], ...initialState,
      isStreaming: false, streamingMessage: undefined, pendingToolCalls: new Set(), errorMessage: undefined,
    };
    if (steeringMode) this.steeringMode = steeringMode;
    if (followUpMode) this.followUpMode = followUpMode;
  }

  get steeringMode() { return this.#steering.mode; }
  set steeringMode(mode) { this.#steering.mode = mode; }
  get followUpMode() { return this.#followUps.mode; }
  set followUpMode(mode) { this.#followUps.mode = mode; }
  get signal() { return this.#run?.controller.signal; }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  steer(message) { this.#steering.messages.push(message); }
  followUp(message) { this.#followUps.messages.push(message); }
  clearSteeringQueue() { this.#steering.messages = []; }
  clearFollowUpQueue() { this.#followUps.messages = []; }
  hasQueuedMessages() { return this.#steering.messages.length + this.#followUps.messages.length > 0; }

  clearAllQueues() {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  abort() { this.#run?.controller.abort(); }
  async waitForIdle() { await this.#run?.finished; }

  reset() {
    Object.assign(this.state, { messages: [], isStreaming: false, streamingMessage: undefined, errorMessage: undefined, pendingToolCalls: new Set() });
    this.clearAllQueues();
  }

  prompt(input, images) {
    const messages = asMessages(input, images);
    return this.#start((emit, signal) => runAgentLoop(messages, this.#context(), this.#config(), emit, signal, this.streamFn));
  }

  continue() {
    return this.#start((emit, signal) => runAgentLoopContinue(this.#context(), this.#config(), emit, signal, this.streamFn));
  }

  #context() {
    const { systemPrompt, messages, tools } = this.state;
    return { systemPrompt, messages: [...messages], tools: [...tools] };
  }

  #config() {
    const { model, thinkingLevel } = this.state;
    if (!model) throw new Error("The agent has no model");
    const { transformContext, getApiKey, beforeToolCall, afterToolCall, toolExecution, sessionId } = this;
    return {
      model, reasoning: thinkingLevel === "off" ? undefined : thinkingLevel, convertToLlm: this.convertToLlm, transformContext, getApiKey,
      beforeToolCall, afterToolCall, toolExecution, sessionId,
      getSteeringMessages: async () => this.#steering.take(), getFollowUpMessages: async () => this.#followUps.take(),
    };
  }

  async #start(act) {
    if (this.#run) throw new Error("This agent is at work: wait for it, or hand it the message with steer() or followUp()");
    const controller = new AbortController();
    this.state.isStreaming = true;
    this.state.errorMessage = undefined;
    const work = (async () => act((event) => this.#hear(event, controller.signal), controller.signal))();
    this.#run = { controller, finished: work.catch(() => {}) };
    try {
      await work;
    } catch (error) {
      this.state.errorMessage = error.message;
      throw error;
    } finally {
      this.#run = null;
      Object.assign(this.state, { isStreaming: false, streamingMessage: undefined, pendingToolCalls: new Set() });
    }
  }

  /** What happens is first remembered, then told. */
  async #hear(event, signal) {
    const { state } = this;
    if (event.type === "message_start" || event.type === "message_update") state.streamingMessage = event.message;
    else if (event.type === "message_end") {
      state.streamingMessage = undefined;
      state.messages = [...state.messages, event.message];
      if (event.message.errorMessage) state.errorMessage = event.message.errorMessage;
    } else if (event.type === "tool_execution_start") state.pendingToolCalls = new Set([...state.pendingToolCalls, event.toolCallId]);
    else if (event.type === "tool_execution_end") state.pendingToolCalls = new Set([...state.pendingToolCalls].filter((id) => id !== event.toolCallId));
    for (const listener of [...this.#listeners]) await listener(event, signal);
  }
}
