// A stream that somebody pushes events into and somebody else reads, with one result at its end.

export class EventStream {
  #isComplete;
  #extract;
  #queue = [];
  #waiting = [];
  #isDone = false;
  #result;
  #settle;

  constructor(isComplete = () => false, extractResult = (event) => event) {
    this.#isComplete = isComplete;
    this.#extract = extractResult;
    this.#result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  push(event) {
    if (this.#isDone) return;
    if (this.#isComplete(event)) {
      this.#isDone = true;
      this.#settle(this.#extract(event));
    }
    const reader = this.#waiting.shift();
    if (reader) reader({ value: event, done: false });
    else this.#queue.push(event);
  }

  end(result) {
    this.#isDone = true;
    if (result !== undefined) this.#settle(result);
    for (const reader of this.#waiting.splice(0)) reader({ value: undefined, done: true });
  }

  async *[Symbol.asyncIterator]() {
    while (true) {
      if (this.#queue.length) yield this.#queue.shift();
      else if (this.#isDone) return;
      else {
        const next = await new Promise((resolve) => this.#waiting.push(resolve));
        if (next.done) return;
        yield next.value;
      }
    }
  }

  result() {
    return this.#result;
  }
}

export class AssistantMessageEventStream extends EventStream {
  constructor() {
    super((event) => event.type === "done" || event.type === "error", (event) => (event.type === "done" ? event.message : event.error));
  }
}

export const createAssistantMessageEventStream = () => new AssistantMessageEventStream();

/** The events that a message would have come with, had it been streamed. */
export function* eventsOf(message) {
  const partial = { ...message, content: [] };
  yield { type: "start", partial };
  for (const [contentIndex, part] of message.content.entries()) {
    partial.content = [...partial.content, part];
    yield* eventsOfPart(part, contentIndex, partial);
  }
  if (["error", "aborted"].includes(message.stopReason)) yield { type: "error", reason: message.stopReason, error: message };
  else yield { type: "done", reason: message.stopReason ?? "stop", message };
}

const TEXTS = { text: "text", thinking: "thinking" };

function* eventsOfPart(part, contentIndex, partial) {
  if (part.type in TEXTS) {
    const content = part[TEXTS[part.type]];
    yield { type: `${part.type}_start`, contentIndex, partial };
    yield { type: `${part.type}_delta`, contentIndex, delta: content, partial };
    yield { type: `${part.type}_end`, contentIndex, content, partial };
  } else if (part.type === "toolCall") {
    yield { type: "toolcall_start", contentIndex, partial };
    yield { type: "toolcall_delta", contentIndex, delta: JSON.stringify(part.arguments), partial };
    yield { type: "toolcall_end", contentIndex, toolCall: part, partial };
  }
}
