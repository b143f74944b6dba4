import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFamily } from '#bin/verify/family.ts';
import { pendingJournals, printFamily, printPendingJournals } from '#bin/verify/print.ts';
import { recoverTransaction } from '#lib/platform/recovery.ts';
import { isStanding } from '#lib/table/journal/standing-lock.ts';
import type { ChaosFamily } from './family.ts';
import { disagreements, readOutcomes } from './outcomes.ts';
import type { RunHistory } from './perform.ts';

/** After this time anyone can end a transaction that was cut off, whatever their clocks. */
const LEASES_OVER_MS = 30_000;

/**
 * Checks the books as they were left, and once more after what was cut off has ended; then what clients were
 * told. Says what is wrong, and counts it.
 */
export async function countViolations(
  record: RunHistory,
  scenes: readonly ChaosFamily[],
  file: string,
): Promise<number> {
  const asLeft = await checkBooks(scenes, 'as it was left');
  await endLeftovers();
  const ended = await checkBooks(scenes, 'after what was cut off has ended');
  const unlike = await checkTold(record, scenes, file);
  for (const wrong of record.wrong) show(`List: ${wrong}`);
  return asLeft + ended + unlike + record.wrong.length;
}

/** Checks the books of all families, and says what is left of large transactions; counts violations. */
async function checkBooks(scenes: readonly ChaosFamily[], when: string): Promise<number> {
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

/** Does the work of passers-by and the worker. */
async function endLeftovers(): Promise<void> {
  const until = performance.now() + LEASES_OVER_MS;
  for (;;) {
    // Counts are ended by their own worker, and by whoever meets their locks.
    const left = (await pendingJournals()).filter(({ id }) => !isStanding(id));
    if (left.length === 0 || performance.now() > until) return;
    await Promise.allSettled(left.map(({ id }) => recoverTransaction({ id })));
    await pause(1000);
  }
}

/** Compares what clients were told with what was done, and says the history of what is unlike. */
async function checkTold(
  { told }: RunHistory,
  scenes: readonly ChaosFamily[],
  file: string,
): Promise<number> {
  const done = await readOutcomes(scenes.map(({ familyId }) => familyId));
  const unlike = disagreements(told, done);
  const lines = unlike.length > 0 ? (await readFile(file, 'utf8')).split('\n') : [];
  for (const { name, what } of unlike) {
    show(`Told: ${what}`);
    for (const line of lines.filter((each) => each.includes(`"${name}"`))) show(`    ${line}`);
  }
  return unlike.length;
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
