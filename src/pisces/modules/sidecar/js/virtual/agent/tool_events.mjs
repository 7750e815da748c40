// Which tool an event is about.

export const isToolCallEventType = (name, event) => event.toolName === name;

const resultOf = (name) => (event) => event.toolName === name;
export const isBashToolResult = resultOf("bash");
export const isReadToolResult = resultOf("read");
export const isEditToolResult = resultOf("edit");
export const isWriteToolResult = resultOf("write");
export const isGrepToolResult = resultOf("grep");
export const isFindToolResult = resultOf("find");
export const isLsToolResult = resultOf("ls");
export const isPowerShellToolResult = resultOf("powershell");

/** Messages between extensions: who listens to a channel hears what is said on it; a listener that fails stops nobody. */
export function createEventBus() {
  const listeners = new Map();
  return {
    emit(channel, data) {
      for (const listener of [...(listeners.get(channel) ?? [])]) {
        Promise.resolve().then(() => listener(data)).catch((error) => console.error(`Event handler error (${channel}):`, error));
      }
    },
    on(channel, listener) {
      if (!listeners.has(channel)) listeners.set(channel, new Set());
      listeners.get(channel).add(listener);
      return () => void listeners.get(channel)?.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}

export const createSyntheticSourceInfo = (path, { source, scope = "temporary", origin = "top-level", baseDir }) => ({ path, source, scope, origin, baseDir });
