// What the model can call. Secrets come from variables; none of them is ever put into an answer.
const key = process.env.@VARIABLE@_API_KEY ?? '';
const address = process.env.@VARIABLE@_API_URL || 'https://api.example.com';

export const tools = {
  service_status: {
    description: 'Says whether the service answers and whether a key is configured.',
    inputSchema: { type: 'object', properties: {} },
    async run() {
      if (!key) throw new Error('There is no API key: run `gemini extensions config @name@`');
      const reply = await fetch(new URL('/status', address), {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(10_000),
      });
      return `${new URL(address).host} answers with ${reply.status}`;
    },
  },
};
