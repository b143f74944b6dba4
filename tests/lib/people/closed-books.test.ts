import { expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation } from '#lib/cash/operation/cancel.ts';
import { deskPostings } from '#lib/cash/posting/record.ts';
import { edit } from '#lib/current-user/company-settings.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { cancelGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { dayOf, daysAfter, endOfDay, startOfDay } from '#lib/values/time.ts';
import { asCall } from '#tests/support/as-call.ts';
import { faultsOf, plant } from '#tests/support/books.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { meanwhile } from '#tests/support/meanwhile.ts';
import { newTill, type Till } from '#tests/support/operations.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newCards, receiveGoods } from '#tests/support/stock.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const YESTERDAY = daysAfter(dayOf(NOW), -1);
const REFUSAL = { status: 400, phrase: { key: 'books.closed' } };

function closeBooks(actor: Staff, books_closed_on: string | null) {
  return edit(actor, { sale_settings: { books_closed_on } }, NOW);
}

function cancelIncome(actor: Staff, id: number) {
  return cancelOperation(actor, { id, cancel_comment: 'Ошибка' }, NOW, nothing);
}

/** Something of two days ago, how it is canceled, and its type. */
interface Past {
  readonly type: string;
  readonly make: (till: Till, actor: Staff) => Promise<number>;
  readonly cancel: (actor: Staff, id: number) => Promise<void>;
}

const PAST: Readonly<Record<string, Past>> = {
  'a manual income': {
    type: deskPostings.type,
    make: async ({ cashboxId: cashbox_id, income: reason_id }, actor) => {
      const money = { type: 'income', payment_type: 'cash', currency: 'uzs', amount: 5 };
      const input = OperationInput.parse({ cashbox_id, reason_id, ...money });
      return (await asCall(() => moveByReason(actor, input, NOW - 2 * DAY_MS, nothing))).id;
    },
    cancel: cancelIncome,
  },
  'a receipt': {
    type: goodsReceipts.type,
    make: async (till) => {
      const [product_id] = await newCards(till, 1);
      const json = { stock_id: till.stockId, products: [{ product_id, quantity: 1, cost: 2 }] };
      const id = await receiveGoods(till.token, json);
      const key = recordKey(goodsReceipts.type, familyTenant(till.companyId), id);
      await plant(key, { completed_at: NOW - 2 * DAY_MS });
      return id;
    },
    cancel: (actor, id) => cancelGoodsReceipt(actor, id, NOW, nothing),
  },
};

test.each(Object.entries(PAST))(
  '%s is not canceled once the books of its day are closed, at whichever of its calls that happens (Part 5, 5A.9, 1)',
  async (_, { type, make, cancel }) => {
    const till = await newTill();
    // They are read before the books are closed, as those of a call that is on its way.
    const actor = directorAs(till.directorId, till.companyId);
    const statusOf = async (id: number) =>
      (await getItem(recordKey(type, familyTenant(till.companyId), id)))?.['status'];
    let calls = 0;
    for (let call = 0, isMet = true; isMet; call += 1) {
      const id = await make(till, actor);
      const tried = await meanwhile(
        call,
        () => asCall(() => closeBooks(actor, YESTERDAY)),
        () => asCall(() => cancel(actor, id)).catch((error: unknown) => error),
      );
      ({ isMet } = tried);
      if (isMet) expect(tried.made).toMatchObject(REFUSAL);
      expect(await statusOf(id)).toBe(isMet ? 'completed' : 'canceled');
      calls += isMet ? 1 : 0;
      await asCall(() => closeBooks(actor, null));
      if (isMet) await asCall(() => cancel(actor, id));
      expect(await statusOf(id)).toBe('canceled');
    }
    expect(calls).toBeGreaterThan(2);
    expect(await faultsOf(till)).toEqual([]);
  },
);

test('a day that is not over takes no check, but from a quarter of an hour before midnight on', async () => {
  const family = await newFamily();
  const actor = directorAs(family.directorId, family.companyId);
  const [start, end] = [startOfDay(YESTERDAY), endOfDay(YESTERDAY)];
  expect(requireOpenBooks(actor, start, end - 16 * 60_000)).toEqual([]);
  expect(requireOpenBooks(actor, start - 1, start)).toHaveLength(1);
  const atMidnight = requireOpenBooks(actor, start, end - 1);
  await asCall(() => transact(atMidnight));
  await asCall(() => closeBooks(actor, daysAfter(YESTERDAY, -1)));
  await asCall(() => transact(atMidnight));
  await asCall(() => closeBooks(actor, YESTERDAY));
  await expect(asCall(() => transact(atMidnight))).rejects.toMatchObject(REFUSAL);
});

test('books that were closed before they had an item of their own are closed', () => {
  const sale_settings = { books_closed_on: YESTERDAY };
  const actor = { ...directorAs(1, 1), saleSettings: sale_settings };
  expect(() => requireOpenBooks(actor, endOfDay(YESTERDAY) - 1, NOW)).toThrow('books.closed');
  expect(requireOpenBooks(actor, endOfDay(YESTERDAY), NOW + DAY_MS)).toHaveLength(1);
});
