import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMovement, type Cause, countMovements, cutPage, movementsOf, PAGE } from '#lib/stock/movement.ts';
import { PLATFORM } from '#lib/table/keys.ts';

const ids = fc.integer({ min: 1, max: 999_999_999_999 });
// A document's own balance may exceed the range of exact numbers.
const units = fc.oneof(
  fc.maxSafeInteger(),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 6 })).map(([head, zeros]) => head * 10 ** zeros),
);

const entry = fc.record({
  document: fc.constantFrom<Cause['document']>('purchase', 'sale_return', 'inventory'),
  documentId: ids,
  lineId: ids,
  at: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  by: fc.record({ creator_id: ids, impersonator_id: fc.option(ids) }),
  change: units,
  after: units,
  parts: fc.array(
    fc.record({
      id: fc.oneof(
        ids,
        ids.map((id) => -id),
      ),
      quantity: units,
    }),
    { maxLength: 4 },
  ),
});

function textOf(all: readonly (Cause & Parameters<typeof addMovement>[2])[]): string {
  return all.reduce((text, entry) => addMovement(text, entry, entry), '');
}

test('a movement is read back unchanged, for any ids, time, quantities and batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 45 }), async (all) => {
      const balance = { id: 1, pages: 0, recent: textOf(all) };
      const told = await movementsOf(PLATFORM, balance, { from: 0, to: all.length });
      expect(told).toEqual(
        all.map(({ document, documentId, lineId, at, by, change, after, parts }) => ({
          document_type: document,
          document_id: documentId,
          line_id: lineId,
          quantity: change,
          quantity_before: after - change,
          quantity_after: after,
          batches: parts,
          ...by,
          created_at: at,
        })),
      );
    }),
  );
});

test('a page is cut off the oldest movements, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: PAGE, maxLength: 45 }), (all) => {
      const { page, rest } = cutPage(textOf(all));
      expect([page, rest]).toEqual([textOf(all.slice(0, PAGE)), textOf(all.slice(PAGE))]);
      expect([countMovements(page), countMovements(rest)]).toEqual([PAGE, all.length - PAGE]);
    }),
    { numRuns: 30 },
  );
});

test('a movement of a usual sale has less than fifty bytes', () => {
  const cause = { document: 'sale', documentId: 123_456, lineId: 345_678, at: 1_795_500_904_055 } as const;
  const by = { creator_id: 345, impersonator_id: null };
  const moved = { change: -2e8, after: 98e8, parts: [{ id: 34_567, quantity: 2e8 }] };
  const text = addMovement('', { ...cause, by }, moved);
  expect(text).toBe('sale 2n9c 7eq6 -2e8 98e8 mwuavo8n 9l qo7:2e8\n');
  expect(text.length).toBeLessThan(50);
});
