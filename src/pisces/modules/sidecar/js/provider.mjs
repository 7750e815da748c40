// Models that an extension brings: its stream is passed on event by event, its log-in talks to the user through the host.
import { ask, send, tell } from "./wire.mjs";

export async function providerCall(extension, { name, function: wanted, args }, { id, signal }) {
  const config = extension.providers.get(name);
  if (wanted === "streamSimple") return stream(config, args, { id, signal });
  const [owner, method] = wanted.startsWith("oauth.") ? [config.oauth, wanted.slice("oauth.".length)] : [config, wanted];
  const given = method === "login" ? [logIn(extension, signal)] : args;
  return { value: (await owner[method](...given)) ?? null };
}

async function stream(config, [model, context, options], { id, signal }) {
  const events = await config.streamSimple(model, context, { ...options, signal });
  for await (const event of events) send({ update: id, value: event });
  return { value: (await events.result?.()) ?? null };
}

function logIn(extension, signal) {
  return {
    signal,
    onAuth: ({ url, instructions = "" }) => tell("ui.notify", extension, { message: `${instructions} ${url}`.trim(), level: "info" }),
    onProgress: (message) => tell("ui.notify", extension, { message, level: "info" }),
    onPrompt: async ({ message, placeholder = "" }) => (await ask("ui.input", extension, { title: message, placeholder, timeout: null })) ?? "",
    onManualCodeInput: async () => (await ask("ui.input", extension, { title: "Code", placeholder: "", timeout: null })) ?? "",
    onSelect: async ({ message, options }) => {
      const labels = options.map((each) => each.label);
      const chosen = await ask("ui.select", extension, { title: message, options: labels, timeout: null });
      return options.find((each) => each.label === chosen)?.id;
    },
  };
}
