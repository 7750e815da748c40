// Asks an installed Gemini CLI what it makes of extension folders. One JSON line for each folder.
//
//   node oracle.mjs PACKAGE FOLDERS.txt > VERDICTS.jsonl
//
// PACKAGE is the folder of the npm package @google/gemini-cli, FOLDERS.txt has one path a line. Every folder is installed
// into a throwaway home by the program's own extension manager and then read by its own loaders; nothing of it is run.
// With `--patterns FILE` in place of FOLDERS.txt, the lines of FILE are JSON texts, and the answer to each is whether
// `new RegExp` takes it; with `--addresses FILE`, whether `new URL` does.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';

const say = line => fs.writeSync(1, line + '\n');
const [packageFolder, ...rest] = process.argv.slice(2);

if (rest[0] === '--patterns' || rest[0] === '--addresses') {
  const make = rest[0] === '--patterns' ? text => new RegExp(text) : text => new URL(text);
  const lines = fs.readFileSync(rest[1], 'utf8').split('\n').filter(Boolean);
  const verdicts = lines.map(line => { try { make(JSON.parse(line)); return true; } catch { return false; } });
  say(JSON.stringify(verdicts));
  process.exit(0);
}

// An installation is reported home; from here nothing leaves the machine.
globalThis.fetch = async () => { throw new Error('no network'); };
for (const plain of [http, https]) plain.request = plain.get = () => { throw new Error('no network'); };

// The bundle's file names change with every build, and it holds several copies of everything. The right copies are the
// one that exports the extension manager, and those that this one imports.
const bundle = path.resolve(packageFolder, 'bundle');
function exportsOf(text) {
  const at = text.lastIndexOf('\nexport {');
  return new Set(at < 0 ? [] : text.slice(at).split(/[{},]/).map(each => each.trim().split(' as ').pop().trim()));
}
function exporting(files, names) {
  for (const file of files) {
    const text = fs.readFileSync(path.join(bundle, file), 'utf8');
    const exported = exportsOf(text);
    if (names.every(name => exported.has(name))) return { file, text };
  }
  throw new Error(`no file of the bundle exports ${names.join(', ')}`);
}
const chunks = fs.readdirSync(bundle).filter(name => /^chunk-.*\.js$/.test(name)).sort();
const outer = exporting(chunks, ['ExtensionManager', 'FileCommandLoader', 'CommandService', 'BuiltinCommandLoader']);
const imported = [...outer.text.matchAll(/from "\.\/(chunk-[A-Z0-9]+\.js)"/g)].map(match => match[1]);
const load = file => import(path.join(bundle, file));
const cli = await load(outer.file);
const core = await load(exporting(imported, ['loadAgentsFromDirectory', 'loadSkillsFromDir', 'HookRegistry', 'Storage']).file);
const { loadSettings } = await load(exporting(imported, ['loadSettings']).file);

for (const level of ['log', 'warn', 'error', 'info', 'debug']) console[level] = () => {};
core.coreEvents.on('user-feedback', () => {});
const folders = fs.readFileSync(rest[0], 'utf8').split('\n').filter(Boolean);
const used = [];
const remains = { recursive: true, force: true, maxRetries: 3 };
for (const folder of folders) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'home-'));
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'work-'));
  process.env.HOME = home;
  process.chdir(workspace);
  const verdict = { folder };
  try {
    await examine(folder, workspace, verdict);
  } catch (error) {
    verdict.failure = String(error.stack);
  }
  say(JSON.stringify(verdict).split(home).join('<HOME>').split(workspace).join('<WORKSPACE>'));
  process.chdir(os.tmpdir());
  used.push(home, workspace); // removed at the very end: the next installation may still write to the home before
}
for (const place of used) fs.rmSync(place, remains);
process.exit(0);

async function examine(folder, workspace, verdict) {
  const settings = loadSettings(workspace).merged;
  // The signature of an installation is of no interest here and takes longer than everything else.
  const integrityManager = { verify: async () => 'verified', store: async () => {} };
  const requestConsent = async () => true;
  const manager = new cli.ExtensionManager({ workspaceDir: workspace, requestConsent, requestSetting: null, settings, integrityManager });
  await manager.loadExtensions();
  try {
    await manager.installOrUpdateExtension({ source: folder, type: 'local' });
    verdict.installs = true;
  } catch (error) {
    verdict.installs = false;
    verdict.reason = error.message;
  }
  const extension = manager.getExtensions()[0];
  if (extension) await installed(extension, manager, workspace, verdict);
  await skills(folder, verdict);
  const agents = await core.loadAgentsFromDirectory(path.join(folder, 'agents'));
  verdict.agents = agents.agents.map(agent => ({
    name: agent.name, kind: agent.kind, description: agent.description,
    tools: agent.toolConfig?.tools ?? null, model: agent.modelConfig?.model ?? null,
  }));
  verdict.failing_agents = agents.errors.map(error => path.relative(folder, error.filePath ?? ''));
  verdict.agent_errors = agents.errors.map(error => error.message);
  if (fs.existsSync(path.join(folder, 'policies'))) {
    const read = await core.loadExtensionPolicies(extension?.name ?? 'x', path.join(folder, 'policies'));
    const told = rule => ({ tool: rule.toolName, decision: rule.decision, priority: rule.priority, pattern: rule.argsPattern?.source ?? null });
    verdict.rules = read.rules.map(told);
    verdict.checkers = read.checkers.map(told);
    verdict.policy_errors = read.errors.map(error => [error.fileName, error.errorType]);
  }
}

async function installed(extension, manager, workspace, verdict) {
  verdict.name = extension.name;
  verdict.context_files = extension.contextFiles.map(file => path.relative(extension.path, file));
  verdict.mcp_servers = extension.mcpServers ?? null;
  const config = {
    getFolderTrust: () => false, isTrustedFolder: () => true, getProjectRoot: () => workspace,
    getExtensions: () => manager.getExtensions(), storage: new core.Storage(workspace),
    getProjectHooks: () => undefined, getHooks: () => undefined, getDisabledHooks: () => [],
  };
  const signal = new AbortController().signal;
  const files = new cli.FileCommandLoader(config);
  verdict.commands = (await files.loadCommands(signal)).map(command => ({ name: command.name, description: command.description }));
  const service = await cli.CommandService.create([new cli.BuiltinCommandLoader(null), files], signal);
  verdict.final_names = service.getCommands().filter(command => command.extensionName).map(command => command.name);
  const registry = new core.HookRegistry(config);
  await registry.initialize();
  verdict.hooks = registry.getAllHooks().map(hook => ({
    event: hook.eventName, matcher: hook.matcher ?? null, sequential: hook.sequential ?? null, type: hook.config.type,
    command: hook.config.command ?? null, name: hook.config.name ?? null, timeout: hook.config.timeout ?? null,
  }));
}

// Rejected is every other SKILL.md below the folder; a link to one that is taken is not.
async function skills(folder, verdict) {
  const root = path.join(folder, 'skills');
  const found = await core.loadSkillsFromDir(root);
  const taken = new Set(found.map(skill => fs.realpathSync(skill.location)));
  verdict.skills = found.map(skill => ({ name: skill.name, description: skill.description, file: path.relative(folder, skill.location) }));
  verdict.rejected_skills = below(root, []).filter(file => path.basename(file) === 'SKILL.md' && !taken.has(fs.realpathSync(file))).map(file => path.relative(folder, file));
}

function below(folder, above) {
  let entries, real;
  try { real = fs.realpathSync(folder); entries = fs.readdirSync(folder); } catch { return []; }
  if (above.includes(real)) return [];
  return entries.flatMap(name => {
    const file = path.join(folder, name);
    let status;
    try { status = fs.statSync(file); } catch { return []; }
    return status.isDirectory() ? below(file, [...above, real]) : [file];
  });
}
