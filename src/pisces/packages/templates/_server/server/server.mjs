// A Model Context Protocol server on stdin and stdout, without dependencies. The tools are in tools.mjs.
import { createInterface } from 'node:readline';
import { tools } from './tools.mjs';

const VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: '@name@', version: '0.1.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  }),
  'tools/call': async ({ name, arguments: given }) => {
    if (!Object.hasOwn(tools, name)) throw { code: -32602, message: `there is no tool ${name}` };
    try {
      return { content: [{ type: 'text', text: String(await tools[name].run(given ?? {})) }] };
    } catch (error) {
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  },
};

async function answer({ id, method, params }) {
  if (id === undefined) return; // a notification wants no answer
  const reply = { jsonrpc: '2.0', id };
  try {
    if (!Object.hasOwn(methods, method)) throw { code: -32601, message: `there is no method ${method}` };
    reply.result = await methods[method](params ?? {});
  } catch ({ code = -32603, message }) {
    reply.error = { code, message };
  }
  process.stdout.write(JSON.stringify(reply) + '\n');
}

// stdout belongs to the protocol: whatever a person should read goes to stderr.
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  try {
    await answer(JSON.parse(line));
  } catch (error) {
    console.error(`@name@: ${error.message}`);
  }
}
