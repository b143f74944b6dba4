import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { sell } from '#lib/trade/checkout/sell.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { faultsOf } from '#tests/support/books.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';
import { newTrackedProduct, outstandingCodesOf, saleOfTrackingCodes } from '#tests/support/tracking-codes.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const goods = await newTrackedProduct(shop, 100_000);
const actor = directorAs(shop.directorId, shop.companyId);
let made = 0;

const sellMarks = async (marks: readonly string[], saveResponse: AnswerWrites = nothing) => {
  const input = SaleInput.parse(saleOfTrackingCodes(shop, goods, marks));
  return (await sell(actor, input, Date.now(), { saveResponse })).sale.id;
};

const takeBack = async (sale: number, marks: readonly string[], saveResponse: AnswerWrites = nothing) => {
  const [line] = await linesOfSale(shop, sale);
  const named = { id: line?.id, reason_type: 'defective', returned_quantity: marks.length, marks };
  const transactions = [{ payment_type: 'cash', amount: marks.length }];
  const input = ReturnInput.parse({ products: [named], transactions });
  return returnGoods(actor, { id: sale, ...input }, Date.now(), saveResponse);
};

const out = async (marks: readonly string[]) => {
  const all = await outstandingCodesOf(shop);
  return marks.filter((mark) => all.includes(mark));
};

function newTrackingCodes(): string[] {
  made += 1;
  return [`${made}-a`, `${made}-b`, `${made}-c`];
}

describe('a sale of marks', () => {
  testDisrupted(proxy, 4, async () => ({
    prepare: async () => newTrackingCodes(),
    run: (marks, saveResponse) => sellMarks(marks, saveResponse),
    undone: async (marks) => expect(await out(marks)).toEqual([]),
    check: async (marks) => expect(await out(marks)).toEqual(marks),
  }));
});

describe('a return of marks', () => {
  testDisrupted(proxy, 4, async () => ({
    prepare: async () => {
      const marks = newTrackingCodes();
      return { marks, sale: await sellMarks(marks) };
    },
    run: ({ marks, sale }, saveResponse) => takeBack(sale, marks.slice(0, 2), saveResponse),
    undone: async ({ marks }) => expect(await out(marks)).toEqual(marks),
    check: async ({ marks }) => expect(await out(marks)).toEqual(marks.slice(2)),
  }));
});

/** Sales by the tracking code sold with them. */
type OutWith = Map<string, number>;

/** Sells tracking codes, and records it; sells none if one of them is already sold. */
async function sellAnd(outWith: OutWith, marks: readonly string[]): Promise<void> {
  const sale = await sellMarks(marks).catch(ifRefused);
  for (const mark of sale === undefined ? [] : marks) outWith.set(mark, sale ?? 0);
}

/** Returns tracking codes of a sale, and records it, unless they have been sold again since. */
async function takeBackAnd(outWith: OutWith, sale: number, marks: readonly string[]): Promise<void> {
  const told = await takeBack(sale, marks).catch(ifRefused);
  for (const mark of told ? marks : []) if (outWith.get(mark) === sale) outWith.delete(mark);
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status === 409) throw error;
}

async function play(
  outWith: OutWith,
  wave: readonly { readonly marks: readonly string[]; readonly isBack: boolean }[],
): Promise<void> {
  const before = new Map(outWith);
  await Promise.all(
    wave.map(({ marks: [first = '', ...others], isBack }) => {
      const sale = before.get(first);
      if (!isBack || sale === undefined) return sellAnd(outWith, [first, ...others]);
      const theirs = [first, ...others].filter((mark) => before.get(mark) === sale);
      return takeBackAnd(outWith, sale, theirs);
    }),
  );
}

test('whatever is sold and taken back at once, a mark is out with one line or in, never both', async () => {
  const mark = fc.integer({ min: 0, max: 3 });
  const step = fc.record({
    marks: fc.uniqueArray(mark, { minLength: 1, maxLength: 3 }),
    isBack: fc.boolean(),
  });
  const waves = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
  const check = async (steps: { marks: number[]; isBack: boolean }[][]) => {
    made += 1;
    const prefix = `${made}-`;
    const outWith: OutWith = new Map();
    for (const wave of steps) {
      const named = wave.map((each) => ({ ...each, marks: each.marks.map((one) => `${prefix}${one}`) }));
      await play(outWith, named);
      const known = (await outstandingCodesOf(shop)).filter((each) => each.startsWith(prefix));
      expect(known).toEqual([...outWith.keys()].sort());
    }
  };
  await fc.assert(fc.asyncProperty(waves, check), { numRuns: 10 });
  expect(await faultsOf(shop)).toEqual([]);
});
