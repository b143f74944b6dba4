import { parseArgs } from 'node:util';
import { Misuse, main, print } from './program/main.ts';
import { finishRestored, isProtected, restoreTable } from './restore/table.ts';
import { outputOf } from './stage/stack.ts';

/*
 * Makes a new table with what a stage's table held at a minute, gives it what a restore does not bring along,
 * and checks its books. The service works on with the old one until it is told otherwise. Cut off, it goes on
 * when it is run again.
 */

const USAGE =
  'npm run restore -- --stage <name> --at 2026-11-21T10:00 --as <new table> [--table <the table there is>]\n' +
  "The minute is one of the stage's TIME_ZONE, of the last 35 days. If the stage has no stack any more, name\n" +
  'its table, and give TIME_ZONE in the environment.';

/** No time zone is further ahead: what is to come there is to come everywhere. */
const EARLIEST = '+14:00';

await main(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      at: { type: 'string', default: '' },
      as: { type: 'string' },
      table: { type: 'string' },
    },
  });
  const { stage, table, at: minute, as: target } = values;
  if (!stage || !target) throw new Misuse('Which stage, and to which table?');
  requirePast(minute, Date.parse(`${minute}:00${EARLIEST}`));
  const zone = (table && process.env['TIME_ZONE']) || (await outputOf(stage, 'TimeZone'));
  const source = table ?? (await outputOf(stage, 'TableName'));
  Object.assign(process.env, { TIME_ZONE: zone, TABLE_NAME: target });
  // What these import takes the time zone of days from the environment, which was set just now.
  const { instantOf } = await import('./local/clock.ts');
  const { verifyTable } = await import('./verify/table.ts');
  const at = requirePast(minute, instantOf(minute));
  print(`Restores ${source} as of ${minute} (${zone}) to ${target}. That takes from minutes to hours.`);
  await restoreTable(source, target, at);
  await finishRestored(target, await isProtected(source));
  print(`${target} is there, expires items and can be restored itself. Its books:`);
  if ((await verifyTable(undefined, print)) > 0)
    throw new Error(`Its books do not add up: choose another minute. ${target} remains; nobody uses it.`);
  print(`The books add up. To work with it:
  npm run deploy -- --stage ${stage} -- -c TABLE=${target}
Keep TABLE in cdk.json, under "context": a deployment without it goes back to the stack's own table.`);
});

function requirePast(minute: string, at: number | undefined): number {
  if (at === undefined || Number.isNaN(at)) throw new Misuse(`Which minute? "${minute}" is none.`);
  if (at > Date.now()) throw new Error(`${minute} is still to come.`);
  return at;
}
