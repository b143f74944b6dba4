import { Console } from 'node:console';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { measureBroadcast } from './broadcast.ts';
import { measureCold } from './cold.ts';
import { measureLists, measureMillion } from './lists.ts';
import { measureSales } from './sale.ts';
import { measureSaleList } from './sale-list.ts';
import { measureWarm } from './warm.ts';

/** What can be measured: `npm run bench -- cold` for one. Each gives the rows of a table. */
const PARTS = new Map<string, () => Promise<readonly object[]>>([
  ['cold', measureCold],
  ['warm', measureWarm],
  ['sale', measureSales],
  ['sale-list', measureSaleList],
  ['lists', measureLists],
  ['lists-million', measureMillion],
  ['broadcast', measureBroadcast],
]);

/** What takes minutes, and so is measured only where it is named. */
const LONG: readonly string[] = ['broadcast', 'lists-million'];

const LATEST = join(import.meta.dirname, 'latest.json');

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !PARTS.has(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}; there are ${[...PARTS.keys()].join(', ')}.\n`,
  );
  process.exit(1);
}

const screen = new Console(process.stdout);
for (const [name, measure] of PARTS) {
  if (!(positionals.length > 0 ? positionals.includes(name) : !LONG.includes(name))) continue;
  const figures = await measure();
  screen.log(`\n${name}`);
  screen.table(figures);
  keep(name, figures);
}

/** Puts a part's figures in `bench/latest.json`, beside the latest of the others. */
function keep(name: string, figures: readonly object[]): void {
  const Kept = z.record(z.string(), z.unknown());
  const kept = existsSync(LATEST) ? Kept.parse(JSON.parse(readFileSync(LATEST, 'utf8'))) : {};
  const latest = {
    ...kept,
    [name]: { measured_at: new Date().toISOString(), node: process.version, figures },
  };
  writeFileSync(LATEST, `${JSON.stringify(latest, null, 2)}\n`);
}
