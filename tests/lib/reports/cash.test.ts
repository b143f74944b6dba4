import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { familyTenant } from '#lib/table/keys.ts';
import {
  addMoves,
  cashOfMoves,
  type Moving,
  moving,
  newMovingDesks,
  readCashReport,
} from '#tests/support/moves.ts';
import { updateReportRollups } from '#tests/support/reports.ts';

const GROUPS = ['day', 'cashbox'] as const;

test('whatever moved and moved back, folded or not, the report is what postings come to', async () => {
  const step = fc.record({
    moves: fc.array(moving, { maxLength: 20 }),
    isFolded: fc.boolean(),
    from: fc.integer({ min: -40, max: 100 }),
    length: fc.nat(45),
  });
  const story = fc.array(step, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(story, async (steps) => {
    const familyId = await newMovingDesks();
    const all: Moving[] = [];
    for (const { moves, isFolded, from, length } of steps) {
      await addMoves(familyTenant(familyId), moves);
      all.push(...moves);
      if (isFolded) await updateReportRollups({ companyId: familyId });
      for (const group of GROUPS) {
        const days = [from, from + length] as const;
        expect(await readCashReport(familyId, group, days)).toEqual(cashOfMoves(all, group, days));
      }
    }
  });
  await fc.assert(property, { numRuns: 15 });
});
