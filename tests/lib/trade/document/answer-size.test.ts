import { expect, test } from 'vitest';
import * as z from 'zod';
import { fitLines } from '#lib/trade/document/response-size.ts';
import { Money } from '#lib/values/money.ts';

const row = z.object({ id: z.int() });
const line = z.object({ text: z.string(), amount: Money });

/** Builds lines of the given size in all, in millions of bytes. */
function linesOf(megabytes: number) {
  return [{ text: 'x'.repeat(megabytes * 1_000_000), amount: 150 }];
}

test('lines with which the answer would pass 4 MB are left out, and smaller ones after them are not', () => {
  const rows = [1, 2, 3, 4].map((id) => ({ id }));
  const shown = fitLines({ row, line }, rows, [linesOf(2), linesOf(1), linesOf(2), linesOf(0.5)]);
  expect(shown.map(({ products }) => products?.length ?? null)).toEqual([1, 1, null, 1]);
  expect(shown.map((each) => each.lines_left_out)).toEqual([undefined, undefined, true, undefined]);
  const answer = rows.map((each, index) => ({ ...each, ...shown[index] }));
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(4_000_000);
});

test('lines that were not read are left out', () => {
  expect(fitLines({ row, line }, [{ id: 1 }], [undefined])).toEqual([
    { products: null, lines_left_out: true },
  ]);
});
