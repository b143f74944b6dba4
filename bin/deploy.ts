import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type LiveVersions, pointAt, readLive, readPublished, removeOlder } from './deploy/live-versions.ts';
import { smoke } from './smoke/smoke.ts';
import { outputOf } from './stage/outputs.ts';

/*
 * Deploys a stage and tries it. If it is not well, every function is pointed back at the version that was
 * live before; the versions of the last two deployments are kept.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run deploy -- --stage <name> [--username <administrator>] [--address <url>] ' +
  '[-- <what cdk deploy takes, as -c TIME_ZONE=…>]\n';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string' },
    address: { type: 'string' },
    username: { type: 'string', default: 'admin' },
  },
});
const { stage, username } = values;
const password = process.env['SMOKE_PASSWORD'];
if (!stage || !password) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const before = await readLive(stage);
if (await deploy(stage, positionals)) await tryOut(stage);
else fail('The deployment failed: CloudFormation has taken it back by itself.');

/** Sells in the sandbox by what was deployed, and keeps it or points back. */
async function tryOut(name: string): Promise<void> {
  const published = await goLive(name);
  if (published && (await isWell(name))) {
    const removed = await removeOlder(before, published);
    say(
      `Deployed: ${published.size} functions are live. ${removed} versions of earlier deployments were removed.`,
    );
    return;
  }
  const { moved, failed } = await pointAt(before, await readLive(name));
  fail(`${moved} functions were pointed back at the versions that were live before. The next deployment
goes on from the new ones: mend them first, or deploy the commit before.`);
  if (failed.length > 0) fail(`These could not be pointed back, and are still new:\n${failed.join('\n')}`);
}

/** Points every function at what was deployed; undefined, with the reason told, if that can't be done. */
async function goLive(name: string): Promise<LiveVersions | undefined> {
  try {
    const published = await readPublished(name);
    const { failed } = await pointAt(published, await readLive(name));
    if (failed.length === 0) return published;
    say(`These could not be pointed at what was deployed:\n${failed.join('\n')}`);
  } catch (error) {
    say(`What was deployed can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

async function deploy(name: string, others: readonly string[]): Promise<boolean> {
  const args = ['cdk', 'deploy', '-c', `stage=${name}`, '--require-approval', 'never', ...others];
  const [code] = await once(spawn('npx', args, { stdio: 'inherit' }), 'exit');
  return code === 0;
}

async function isWell(name: string): Promise<boolean> {
  const address = values.address ?? (await outputOf(name, 'Address'));
  try {
    await smoke({ address, username, password: password ?? '' }, say);
    return true;
  } catch (error) {
    say(`Not well: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
