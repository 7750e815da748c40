// Asks the policy engine of an installed Gemini CLI about tool calls. One JSON line for each case: {decision} or {error}.
//
//   node policy_oracle.mjs PACKAGE CASES.jsonl
//
// PACKAGE is the folder of the npm package @google/gemini-cli. A case has the policy files of each tier, settings, a mode
// and a call. The engine only decides: nothing of a call is run.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [packageFolder, casesFile] = process.argv.slice(2);
const bundle = path.resolve(packageFolder, 'bundle');
const needed = ['PolicyEngine', 'createPolicyEngineConfig', 'loadExtensionPolicies'];

// The bundle's file names change with every build: the right file is the largest that exports all of these.
const chunks = fs.readdirSync(bundle).filter(name => name.startsWith('chunk-') && name.endsWith('.js')).filter(name => {
  const text = fs.readFileSync(path.join(bundle, name), 'utf8');
  const at = text.lastIndexOf('\nexport {');
  return at >= 0 && needed.every(each => new RegExp(`\\b${each}\\b`).test(text.slice(at)));
});
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'policy-oracle-'));
process.env.HOME = home;
for (const name of ['log', 'warn', 'error', 'info', 'debug']) console[name] = () => {};
const { PolicyEngine, createPolicyEngineConfig, loadExtensionPolicies } = await import(path.join(bundle, chunks[0]));

function written(folder, files) {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files || {})) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

async function decided(row, folder) {
  const work = written(path.join(folder, 'work'), {});
  process.chdir(work);
  fs.rmSync(path.join(home, '.gemini'), { recursive: true, force: true });
  written(path.join(home, '.gemini', 'policies'), row.user);
  const settings = { ...row.settings };
  if (row.admin) settings.adminPolicyPaths = [written(path.join(folder, 'admin'), row.admin)];
  const defaults = row.defaults ? path.join(bundle, 'policies') : written(path.join(folder, 'none'), {});
  const isInteractive = row.interactive !== false;
  const config = await createPolicyEngineConfig(settings, row.mode || 'default', defaults, isInteractive);
  if (row.extension) {
    const brought = await loadExtensionPolicies('ext', written(path.join(folder, 'ext'), row.extension));
    config.rules.push(...brought.rules);
  }
  const more = { approvalMode: row.mode || 'default', nonInteractive: !isInteractive, isTrustedFolder: () => row.trusted !== false };
  const engine = new PolicyEngine({ ...config, ...more });
  const call = JSON.parse(JSON.stringify(row.call).replaceAll('@WORK@', work));
  return { decision: (await engine.check(call, row.server, row.annotations, row.subagent)).decision };
}

let number = 0;
for (const line of fs.readFileSync(casesFile, 'utf8').split('\n').filter(Boolean)) {
  let answer;
  try {
    answer = await decided(JSON.parse(line), path.join(home, `case${number++}`));
  } catch (error) {
    answer = { error: String(error.message) };
  }
  fs.writeSync(1, JSON.stringify(answer) + '\n');
}
process.chdir('/');
fs.rmSync(home, { recursive: true, force: true });
process.exit(0);
