// Asks an installed Gemini CLI what its prompt files become. One JSON line for each case.
//
//   node expansion_oracle.mjs PACKAGE HOME CASES.json > EXPANSIONS.jsonl
//
// PACKAGE is the folder of the npm package @google/gemini-cli; HOME has the command files in `.gemini/commands`. A case is
// {command, args, raw, workspace}. Command lines in `!{}` are run, as the cases are our own.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';

const [packageFolder, home, casesFile] = process.argv.slice(2);
process.env.GEMINI_CLI_HOME = home;
globalThis.fetch = async () => { throw new Error('no network'); };
for (const plain of [http, https]) plain.request = plain.get = () => { throw new Error('no network'); };

// The bundle's file names change with every build, and it holds several copies of everything. The right ones are the copy
// that exports the loader of command files, and the copies that this one imports.
const bundle = path.resolve(packageFolder, 'bundle');
function exporting(files, names) {
  for (const file of files) {
    const text = fs.readFileSync(path.join(bundle, file), 'utf8');
    const at = text.lastIndexOf('\nexport {');
    const exported = new Set(at < 0 ? [] : text.slice(at).split(/[{},]/).map(each => each.trim().split(' as ').pop().trim()));
    if (names.every(name => exported.has(name))) return { file, text };
  }
  throw new Error(`no file of the bundle exports ${names.join(', ')}`);
}
const chunks = fs.readdirSync(bundle).filter(name => /^chunk-.*\.js$/.test(name)).sort();
const outer = exporting(chunks, ['ExtensionManager', 'FileCommandLoader', 'CommandService']);
const imported = [...outer.text.matchAll(/from "\.\/(chunk-[A-Z0-9]+\.js)"/g)].map(match => match[1]);
const cli = await import(path.join(bundle, outer.file));
const core = await import(path.join(bundle, exporting(imported, ['WorkspaceContext', 'FileDiscoveryService', 'Storage']).file));
for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = () => {};

const known = new Map();
function configOf(workspace) {
  if (known.has(workspace)) return known.get(workspace);
  const context = new core.WorkspaceContext(workspace);
  const files = new core.FileDiscoveryService(workspace);
  const sanitizationConfig = { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false };
  const config = {
    getFolderTrust: () => false, isTrustedFolder: () => true, getProjectRoot: () => workspace, getTargetDir: () => workspace,
    getExtensions: () => [], storage: new core.Storage(workspace), getWorkspaceContext: () => context, getFileService: () => files,
    getFileSystemService: () => null, getFileFilteringRespectGitIgnore: () => true, getFileFilteringRespectGeminiIgnore: () => true,
    getPolicyEngine: () => ({ check: async () => ({ decision: 'allow' }) }),
    getShellExecutionConfig: () => ({ sanitizationConfig }), getEnableInteractiveShell: () => false,
  };
  known.set(workspace, config);
  return config;
}

const cases = JSON.parse(fs.readFileSync(casesFile, 'utf8'));
const loader = new cli.FileCommandLoader(configOf(fs.mkdtempSync(path.join(home, 'empty-'))));
const commands = new Map((await loader.loadCommands(new AbortController().signal)).map(command => [command.name, command]));
for (const each of cases) fs.writeSync(1, JSON.stringify(await expansion(each)) + '\n');
process.exit(0);

async function expansion({ command, args, raw, workspace }) {
  const told = [];
  const context = {
    invocation: { name: command, args, raw }, services: { agentContext: { config: configOf(workspace) } },
    session: { sessionShellAllowlist: new Set() }, ui: { addItem: item => told.push(item.type) },
  };
  try {
    const done = await commands.get(command).action(context, args);
    return { parts: done.content.map(part), told };
  } catch (error) {
    return { error: error.message, told };
  }
}

function part(given) {
  if (given.inlineData) return { mime: given.inlineData.mimeType, data: given.inlineData.data };
  return { text: (typeof given === 'string' ? given : given.text).toWellFormed() };
}
