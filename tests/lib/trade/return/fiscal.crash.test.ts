import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fiscalize, fiscalizeReturn } from '#lib/trade/return/fiscal-receipt.ts';
import { FiscalReceiptInput } from '#lib/trade/sale/input.ts';
import { faultsOf } from '#tests/support/books.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { back, linesOfSale, returnsOf, sellFor, sendReturn } from '#tests/support/returns.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const goods = await newGoods(shop, [{ quantity: 10_000, cost: 1 }]);
const actor = directorAs(shop.directorId, shop.companyId);

const receipt = (receipt_number: string) =>
  FiscalReceiptInput.parse({ terminal_id: 'T1', receipt_number, fiscalized_at: '2026-11-23 10:00:00' });

const sell = (pieces: number) =>
  sellFor(shop, {
    products: [{ product_id: goods, sold_quantity: pieces }],
    transactions: [{ payment_type: 'cash', amount: 5000 * pieces }],
  });

/** Sells two pieces, and takes each back by a return of its own. */
async function sellAndTakeBack() {
  const model = await sell(2);
  const [line] = await linesOfSale(shop, model);
  for (const _ of [1, 2]) await sendReturn(shop, model, back({ [line?.id ?? 0]: 1 }, 5000));
  const [first, second] = await returnsOf(shop, model);
  return { model, return_id: first?.id ?? 0, other: second?.id ?? 0 };
}

type Place = Awaited<ReturnType<typeof sellAndTakeBack>>;

const fiscalizeAs = (model: number, number: string, saveResponse: AnswerWrites = nothing) =>
  fiscalize(actor, model, receipt(number), { at: Date.now(), saveResponse });

const fiscalizeBackAs = (place: Omit<Place, 'other'>, number: string, saveResponse: AnswerWrites = nothing) =>
  fiscalizeReturn(actor, place, receipt(number), { at: Date.now(), saveResponse });

const Receipt = z.object({ receipt_number: z.string() }).nullable();

const Seen = z.object({
  is_fiscalized: z.boolean(),
  fiscal: Receipt,
  returns: z.array(z.object({ id: z.int(), fiscal: Receipt })),
});

/** Reads the fiscal receipt numbers of a sale and of its returns, as shown to the director. */
async function numbersOf(model: number) {
  const { body } = await call(`GET /company/trade/sale/${model}`, { token: shop.director });
  const { is_fiscalized, fiscal, returns } = Seen.parse(body);
  const numberOf = (given: typeof fiscal) => given?.receipt_number ?? null;
  return { is_fiscalized, own: numberOf(fiscal), returns: returns.map((each) => numberOf(each.fiscal)) };
}

const NONE = { is_fiscalized: false, own: null, returns: [] };

describe('a fiscal receipt of a sale', () => {
  testDisrupted(proxy, 2, async () => ({
    prepare: () => sell(1),
    run: (id, saveResponse) => fiscalizeAs(id, '1', saveResponse),
    undone: async (id) => expect(await numbersOf(id)).toEqual(NONE),
    check: async (id) => {
      expect(await numbersOf(id)).toEqual({ ...NONE, is_fiscalized: true, own: '1' });
      await expect(fiscalizeAs(id, '2')).rejects.toMatchObject({ status: 400 });
    },
  }));

  test('of two that come at once, one is the sale’s, and the other is refused', async () => {
    const id = await sell(1);
    const both = await Promise.allSettled([fiscalizeAs(id, '1'), fiscalizeAs(id, '2')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const own = both[0].status === 'fulfilled' ? '1' : '2';
    expect(await numbersOf(id)).toEqual({ ...NONE, is_fiscalized: true, own });
  });

  test('that comes twice at once is the sale’s', async () => {
    const id = await sell(1);
    await Promise.all([fiscalizeAs(id, '1'), fiscalizeAs(id, '1')]);
    expect(await numbersOf(id)).toEqual({ ...NONE, is_fiscalized: true, own: '1' });
  });
});

describe('a receipt of a return', () => {
  const lacking = { ...NONE, returns: [null, null] };

  testDisrupted(proxy, 3, async () => ({
    prepare: sellAndTakeBack,
    run: (place, saveResponse) => fiscalizeBackAs(place, '1', saveResponse),
    undone: async ({ model }) => expect(await numbersOf(model)).toEqual(lacking),
    check: async (place) => {
      expect(await numbersOf(place.model)).toEqual({ ...NONE, returns: ['1', null] });
      await expect(fiscalizeBackAs(place, '2')).rejects.toMatchObject({ status: 400 });
    },
  }));

  test('of two that come at once, one is the return’s, and the other is refused', async () => {
    const place = await sellAndTakeBack();
    const both = await Promise.allSettled([fiscalizeBackAs(place, '1'), fiscalizeBackAs(place, '2')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const own = both[0].status === 'fulfilled' ? '1' : '2';
    expect(await numbersOf(place.model)).toEqual({ ...NONE, returns: [own, null] });
  });

  test('comes beside those of its sale and of another return, and all are stored', async () => {
    const place = await sellAndTakeBack();
    const other = { model: place.model, return_id: place.other };
    await Promise.all([
      fiscalizeAs(place.model, '1'),
      fiscalizeBackAs(place, '2'),
      fiscalizeBackAs(other, '3'),
    ]);
    expect(await numbersOf(place.model)).toEqual({ is_fiscalized: true, own: '1', returns: ['2', '3'] });
  });
});

test('after all that the books are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
