import { spawnSync } from 'node:child_process';
import { Console } from 'node:console';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { measureBroadcast } from './broadcast.ts';
import { measureBilling } from './cash/billing.ts';
import { measureDebts } from './cash/debts.ts';
import { measureOperations } from './cash/operations.ts';
import { measureShifts } from './cash/shifts.ts';
import { measureCold, measureFirstMinute } from './cold.ts';
import { measureCost } from './cost/cost.ts';
import { measureExports } from './export.ts';
import { measureLargeDocuments } from './large-document.ts';
import { measureLists } from './lists.ts';
import { measureSales } from './sale.ts';
import { measureSaleList } from './sale-list.ts';
import { measureTraces } from './trace.ts';
import { measureCounts } from './trade/counts.ts';
import { measureGoods } from './trade/goods.ts';
import { measureHolds } from './trade/holds.ts';
import { measureRepricing } from './trade/repricing.ts';
import { measureReturns } from './trade/return.ts';
import { measureTurns } from './turns.ts';
import { measureWarm } from './warm.ts';

/**
 * Parts that can be measured, `npm run bench -- cold` for one, `npm run bench -- trade` for all of a group.
 * Each gives the rows of a table.
 */
const PARTS = new Map<string, () => Promise<readonly object[]>>([
  ['cold', measureCold],
  ['cold/first-minute', measureFirstMinute],
  ['warm', measureWarm],
  ['sale', measureSales],
  ['trace', measureTraces],
  ['sale-list', measureSaleList],
  ['large-document', measureLargeDocuments],
  ['cash/shifts', measureShifts],
  ['trade/holds', measureHolds],
  ['trade/goods', measureGoods],
  ['trade/counts', measureCounts],
  ['trade/returns', measureReturns],
  ['trade/repricing', measureRepricing],
  ['cash/operations', measureOperations],
  ['cash/billing', measureBilling],
  ['cash/debts', measureDebts],
  ['lists', measureLists],
  ['export', measureExports],
  ['broadcast', measureBroadcast],
  ['cost', measureCost],
  ['turns', measureTurns],
]);

/** Parts that take minutes, and so are measured only if they are named. */
const LONG: readonly string[] = [
  'broadcast',
  'cost',
  'export',
  'lists',
  'trade/counts',
  'trade/repricing',
  'turns',
];

const LATEST = join(import.meta.dirname, 'latest.json');

// The local database gets both of Java's compilers: figures are of one that is warm.
process.env['JAVA_TOOL_OPTIONS'] = '';

const { positionals } = parseArgs({ allowPositionals: true });
const isIn = (name: string, asked: string) => name === asked || name.startsWith(`${asked}/`);
const unknown = positionals.filter((asked) => ![...PARTS.keys()].some((name) => isIn(name, asked)));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown part ${unknown.join(', ')}. The parts are ${[...PARTS.keys()].join(', ')}.\n`,
  );
  process.exit(1);
}

const wanted = [...PARTS.keys()].filter((name) =>
  positionals.length > 0 ? positionals.some((asked) => isIn(name, asked)) : !LONG.includes(name),
);
const [only, ...others] = wanted;
if (only !== undefined && others.length === 0) await measurePart(only);
else for (const name of wanted) measureApart(name);

async function measurePart(name: string): Promise<void> {
  const figures = await PARTS.get(name)?.();
  const screen = new Console(process.stdout);
  screen.log(`\n${name}`);
  screen.table(figures);
  keep(name, figures ?? []);
}

/**
 * Measures in a process of its own: a connection to the table is to one service, and each part starts its
 * own.
 */
function measureApart(name: string): void {
  const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

/** Writes a part's figures to `bench/latest.json`, beside the latest of the others. */
function keep(name: string, figures: readonly object[]): void {
  const Kept = z.record(z.string(), z.unknown());
  const kept = existsSync(LATEST) ? Kept.parse(JSON.parse(readFileSync(LATEST, 'utf8'))) : {};
  const latest = {
    ...kept,
    [name]: { measured_at: new Date().toISOString(), node: process.version, figures },
  };
  writeFileSync(LATEST, `${JSON.stringify(latest, null, 2)}\n`);
}
