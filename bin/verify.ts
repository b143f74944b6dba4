import { parseArgs } from 'node:util';
import * as z from 'zod';
import { everyFamily } from '#lib/people/families.ts';
import { announced } from './local/announced.ts';
import { outputOf } from './stage/outputs.ts';
import { checkFamily } from './verify/family.ts';
import { leftovers } from './verify/leftovers.ts';
import { readOnly } from './verify/read-only.ts';
import { tellFamily, tellLeftovers } from './verify/tell.ts';

/* Checks that a family's books add up, on any table, even while it works. It only reads. */

const USAGE = `npm run verify -- [--family <id>] [--stage <name> | --table <name>]

Checks the books of a company family (the id is its main company's), or of all of them: movements of goods
form a chain and add up to balances and batches; cheques, receipts, write-offs and transfers agree with their lines,
movements, payments, transfers, debts and suppliers' operations; desks, suppliers and clients have what their
documents say; the entries of a tariff come to its balance; lists show what is in the table.

Without a stage or a table it checks the table of the service that runs here (npm start). It reads everything
that a family has and keeps some 300 bytes of each movement. It scans the table once for large transactions
that have not ended: they are told, but are no violation. What seems wrong is read again twice, so that work
under way is not taken for a fault.

Ends with 0 if everything adds up, else with 1 and the history of the records concerned.`;

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    stage: { type: 'string' },
    table: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(`${USAGE}\n`);
else await run().catch(fail);

async function run(): Promise<void> {
  await chooseTable();
  readOnly();
  let violations = 0;
  for (const familyId of await families()) {
    const outcome = await checkFamily(familyId);
    violations += outcome.violations.length;
    say(await tellFamily(familyId, outcome));
  }
  for (const line of tellLeftovers(await leftovers(), Date.now())) say(line);
  process.exitCode = violations > 0 ? 1 : 0;
}

async function families(): Promise<number[]> {
  if (values.family !== undefined) return [z.coerce.number().int().positive().parse(values.family)];
  const all: number[] = [];
  for await (const ids of everyFamily()) all.push(...ids);
  return all;
}

async function chooseTable(): Promise<void> {
  const name =
    values.table ?? (values.stage === undefined ? undefined : await outputOf(values.stage, 'TableName'));
  if (name) process.env['TABLE_NAME'] = name;
  else Object.assign(process.env, await runningService());
}

async function runningService() {
  const settings = await announced();
  if (!settings) throw new Error(`Which table? No service runs here (npm start).\n\n${USAGE}`);
  return settings;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
