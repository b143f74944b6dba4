import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import {
  addMoves,
  cashOfMoves,
  type Moving,
  moving,
  newMovingDesks,
  readCashReport,
} from '#tests/support/moves.ts';
import { updateReportRollups } from '#tests/support/reports.ts';

const DAYS = [10, 40] as const;

test('a fold of postings that is cut off after any call leaves the report as postings are', async () => {
  const [early, late, after] = fc.sample(fc.array(moving, { minLength: 40, maxLength: 40 }), {
    numRuns: 3,
    seed: 7,
  });
  if (!early || !late || !after) throw new Error('There are no movements');
  const familyId = await newMovingDesks();
  const tenant = familyTenant(familyId);
  const all = [...early];
  const add = async (moves: readonly Moving[]) => {
    await addMoves(tenant, moves);
    all.push(...moves);
  };
  await addMoves(tenant, early);
  await updateReportRollups({ companyId: familyId });
  // All rollups are up to date before the next kill, which therefore finds the same work: the same movements
  // once more.
  for (let calls = 0, isDone = false; !isDone; calls++) {
    await add(late);
    isDone = await withCalls(calls, async () => {
      for (const kind of ALL_ROLLUPS) await updateRollups({ ...kind, worth: 1 }, tenant, Date.now());
    });
    expect(await readCashReport(familyId, 'day', DAYS)).toEqual(cashOfMoves(all, 'day', DAYS));
    await add(after);
    await updateReportRollups({ companyId: familyId });
    expect(await readCashReport(familyId, 'cashbox', DAYS)).toEqual(cashOfMoves(all, 'cashbox', DAYS));
  }
});
