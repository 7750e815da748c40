// Asks an installed Gemini CLI about editors. Reads one JSON case a line, answers with one JSON line each.
//
//   node ide_oracle.mjs PACKAGE
//
// PACKAGE is the folder of the npm package @google/gemini-cli. Cases:
//   {kind: "context", contexts}  what the model is told, context after context
//   {kind: "covers", roots, cwd}  is the folder in the workspace?
//   {kind: "find", env, cwd}     which process and which editor is found; then it connects, and says how that went
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const bundle = path.resolve(process.argv[2], 'bundle');
// The bundle's file names change with every build: the right one re-exports everything of the core package.
const file = fs.readdirSync(bundle).filter(name => /^core-.*\.js$/.test(name)).find(name => {
  const text = fs.readFileSync(path.join(bundle, name), 'utf8');
  const exported = text.slice(text.lastIndexOf('\nexport {'));
  return ['IdeClient', 'GeminiClient', 'ideContextStore'].every(each => exported.includes(`  ${each},`));
});
const core = await import(path.join(bundle, file));
for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = () => {};
const usual = { ...process.env };

const told = { context: contextTexts, covers, find: found };
for await (const line of readline.createInterface({ input: process.stdin })) {
  const each = JSON.parse(line);
  const answer = JSON.stringify(await told[each.kind](each)) + '\n';
  await new Promise(done => process.stdout.write(answer, done));
}
process.exit(0);

function contextTexts({ contexts }) {
  const client = { lastSentIdeContext: undefined, config: { getDebugMode: () => false } };
  return contexts.map(context => {
    if (context === null) core.ideContextStore.clear(); else core.ideContextStore.set(context);
    const { contextParts, newIdeContext } = core.GeminiClient.prototype.getIdeContextParts.call(client, false);
    client.lastSentIdeContext = newIdeContext;
    return contextParts.join('\n');
  });
}

function covers({ roots, cwd }) {
  const here = core.resolveToRealPath(cwd);
  return roots.split(path.delimiter).map(root => core.resolveToRealPath(root)).some(root => core.isSubpath(root, here));
}

async function found({ env, cwd }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, { PATH: usual.PATH, REMOTE_CONTAINERS: '1', ...env });
  process.chdir(cwd);
  core.IdeClient.instancePromise = null;
  const client = await core.IdeClient.getInstance();
  await client.connect({ logToConsole: false });
  return { own: process.pid, pid: client.ideProcessInfo?.pid, ide: client.currentIde ?? null, status: client.getConnectionStatus() };
}
