import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFamily } from '#bin/verify/family.ts';
import { pendingJournals, printFamily, printPendingJournals } from '#bin/verify/print.ts';
import { isStanding } from '#lib/table/journal/standing-lock.ts';
import type { ChaosFamily } from './family.ts';
import { disagreements, readOutcomes } from './outcomes.ts';
import type { RunHistory } from './perform.ts';

/** Within this time workers finish interrupted work, including messages they failed at three times before. */
const PATIENCE_MS = 480_000;

/**
 * Verifies the books of all families, prints unfinished large transactions, and returns the number of
 * violations.
 */
export async function checkBooks(scenes: readonly ChaosFamily[], when: string): Promise<number> {
  let violations = 0;
  show(`The table ${when}:`);
  for (const { familyId } of scenes) {
    const outcome = await checkFamily(familyId);
    show(await printFamily(familyId, outcome));
    violations += outcome.violations.length;
  }
  for (const line of printPendingJournals(await pendingJournals(), Date.now())) show(line);
  return violations;
}

/** Waits until workers have ended interrupted large transactions; returns the number still pending. */
export async function countCutOff(): Promise<number> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(1000)) {
    // A stocktake in progress locks its products until it ends.
    const left = (await pendingJournals()).filter(
      ({ id, state }) => !isStanding(id) || state !== 'preparing',
    );
    if (left.length > 0 && performance.now() < end) continue;
    for (const line of printPendingJournals(left, Date.now())) show(`No worker has ended it: ${line}`);
    return left.length;
  }
}

/**
 * Compares the outcomes reported to clients with the table, prints the history of each disagreement, and
 * returns their number.
 */
export async function countDisagreements(
  { outcomes, wrong }: RunHistory,
  scenes: readonly ChaosFamily[],
  file: string,
): Promise<number> {
  const done = await readOutcomes(scenes.map(({ familyId }) => familyId));
  const unlike = disagreements(outcomes, done);
  const lines = unlike.length > 0 ? (await readFile(file, 'utf8')).split('\n') : [];
  for (const { name, what } of unlike) {
    show(`Told: ${what}`);
    for (const line of lines.filter((each) => each.includes(`"${name}"`))) show(`    ${line}`);
  }
  for (const each of wrong) show(`Seen: ${each}`);
  return unlike.length + wrong.length;
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
