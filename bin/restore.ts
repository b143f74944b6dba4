import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instantOf } from './local/clock.ts';
import { finishRestored, restoreTable } from './restore/table.ts';
import { outputOf } from './stage/outputs.ts';

/*
 * Makes a new table with what a stage's table held at a minute, gives it what a restore does not bring along,
 * and checks its books. The service works on with the old one until it is told otherwise.
 */

const USAGE =
  'npm run restore -- --stage <name> --at 2026-11-21T10:00 --as <new table> [--table <the table there is>]\n' +
  'The minute is one of TIME_ZONE, of the last 35 days.\n';

const { values } = parseArgs({
  options: {
    stage: { type: 'string' },
    at: { type: 'string' },
    as: { type: 'string' },
    table: { type: 'string' },
  },
});
const { stage, as: target } = values;
const at = instantOf(values.at ?? '');
if (!stage || !target || at === undefined) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const source = values.table ?? (await outputOf(stage, 'TableName'));
say(`Restores ${source} as of ${values.at} to ${target}. That takes from minutes to hours.`);
await restoreTable(source, target, at);
await finishRestored(target, stage === 'production');
say(`${target} is there, expires items and can be restored itself. Its books:`);
const verify = join(import.meta.dirname, 'verify.ts');
const [code] = await once(spawn(process.execPath, [verify, '--table', target], { stdio: 'inherit' }), 'exit');
if (code === 0) {
  say(`The books add up. To work with it:
  npm run deploy -- --stage ${stage} -- -c TABLE=${target}
Keep TABLE in cdk.json, under "context": a deployment without it goes back to the stack's own table.`);
} else {
  process.stderr.write(
    `Its books do not add up: choose another minute. ${target} remains; nobody uses it.\n`,
  );
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
