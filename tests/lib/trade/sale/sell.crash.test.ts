import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { isIn, type Staff } from '#lib/auth/actor.ts';
import { identify } from '#lib/auth/identify.ts';
import { readToken } from '#lib/auth/tokens.ts';
import { Posting } from '#lib/cash/posting/record.ts';
import * as clients from '#lib/clients/client.ts';
import { parseStored } from '#lib/records/stored.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { readLateSales } from '#lib/trade/sale/before-count.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { newClientWithTariff } from '#tests/support/clients.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { saleOfMinutesAgo } from '#tests/support/past.ts';
import { make } from '#tests/support/records.ts';
import { cashInDesk, newGoods, newShop, piecesOf, type Shop, saleBody } from '#tests/support/shop.ts';
import { count, endStocktake, startStocktake } from '#tests/support/stocktakes.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const PRICE = 5000;

async function cashier({ director }: Shop): Promise<Staff> {
  const at = Date.now();
  const actor = await identify(await readToken(director, at), at);
  if (!isIn('company', actor)) throw new Error('A director is staff');
  return actor;
}

function cart(shop: Shop, products: readonly { readonly id: number; readonly pieces: number }[]) {
  const pieces = products.reduce((sum, product) => sum + product.pieces, 0);
  return SaleInput.parse(
    saleBody(shop, {
      products: products.map(({ id, pieces: sold_quantity }) => ({ product_id: id, sold_quantity })),
      transactions: [{ payment_type: 'cash', amount: pieces * PRICE }],
    }),
  );
}

/** Sums the postings of a desk, each with the balance that it left. */
async function postingsAt(actor: Staff, cashboxId: number) {
  const found: { readonly amount: number; readonly after: string | undefined }[] = [];
  for await (const items of walk(partition('posting', actor.tenant))) {
    for (const item of items) {
      const posting = parseStored(Posting, item);
      if (posting.cashbox_id !== cashboxId) continue;
      found.push({ amount: posting.amount / 100, after: posting.additional.balances_after.cash?.uzs });
    }
  }
  return found;
}

describe('a sale of three products', () => {
  testDisrupted(proxy, 5, async () => {
    const shop = await newShop();
    const ids = await Promise.all([1, 2, 3].map(() => newGoods(shop, [{ quantity: 1000, cost: 1 }])));
    const actor = await cashier(shop);
    const sale = cart(
      shop,
      ids.map((id) => ({ id, pieces: 1 })),
    );
    const expectSold = async (sold: number) => {
      expect(await Promise.all(ids.map((id) => piecesOf(shop, id)))).toEqual(ids.map(() => 1000 - sold));
      expect(await cashInDesk(shop)).toBe(sold * 3 * PRICE);
    };
    return {
      prepare: async () => undefined,
      run: (_, saveResponse) => sell(actor, sale, Date.now(), { saveResponse }),
      undone: (_, before) => expectSold(before),
      check: (_, sold) => expectSold(sold),
    };
  });
});

describe('a sale to a client with a bonus tariff, who earns once (Contract 9.30)', () => {
  testDisrupted(proxy, 5, async () => {
    const shop = await newShop();
    const id = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
    const actor = await cashier(shop);
    const client_id = await newClientWithTariff(shop, 10);
    const sale = SaleInput.parse(
      saleBody(shop, {
        client_id,
        products: [{ product_id: id, sold_quantity: 1 }],
        transactions: [{ payment_type: 'cash', amount: PRICE }],
      }),
    );
    const expectEarned = async (sold: number) => {
      const { bonus_accumulations_amount } = await clients.get(actor, client_id, [], Date.now());
      expect(bonus_accumulations_amount).toBe(sold * PRICE * 10);
    };
    return {
      prepare: async () => undefined,
      run: (_, saveResponse) => sell(actor, sale, Date.now(), { saveResponse }),
      undone: (_, before) => expectEarned(before),
      check: (_, sold) => expectEarned(sold),
    };
  });
});

describe('a late sale whose goods were counted since (Part 4, 4.4 (6))', () => {
  testDisrupted(proxy, 5, async () => {
    const shop = await newShop();
    const id = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
    const actor = await cashier(shop);
    const counting = await startStocktake(shop);
    await count(shop, counting, [[id, 1000]]);
    await endStocktake(shop, counting, 'complete');
    const sale = SaleInput.parse(saleOfMinutesAgo(shop, 60, id, PRICE));
    const expectListed = async (sold: number) => {
      expect(await piecesOf(shop, id)).toBe(1000 - sold);
      const listed = await readLateSales(actor.tenant, counting);
      expect(new Set(listed.map(({ sale_id }) => sale_id)).size).toBe(sold);
      expect(listed).toHaveLength(sold);
    };
    return {
      prepare: async () => undefined,
      run: (_, saveResponse) => sell(actor, sale, Date.now(), { saveResponse }),
      undone: (_, before) => expectListed(before),
      check: (_, sold) => expectListed(sold),
    };
  });
});

test('whatever is sold at once at whatever desks, goods and money add up and nothing goes below zero', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          desk: fc.integer({ min: 0, max: 2 }),
          products: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
          pieces: fc.integer({ min: 1, max: 4 }),
        }),
        { minLength: 4, maxLength: 10 },
      ),
      async (carts) => {
        const shop = await newShop();
        const ids = await Promise.all(
          [3, 5, 8, 100].map((quantity) => newGoods(shop, [{ quantity, cost: 1 }])),
        );
        const desks = [shop.cashboxId];
        for (const name of ['Desk 2', 'Desk 3']) {
          desks.push(await make('/company/cashbox/cashbox', shop.director, { name, type: 'sale' }));
        }
        const actor = await cashier(shop);
        const outcomes = await Promise.allSettled(
          carts.map(({ desk, products, pieces }) => {
            const at = { ...shop, cashboxId: desks[desk] ?? 0 };
            return sell(
              actor,
              cart(
                at,
                products.map((index) => ({ id: ids[index] ?? 0, pieces })),
              ),
              Date.now(),
              { saveResponse: () => [] },
            );
          }),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 422 });
        }
        const made = carts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
        const left = await Promise.all(ids.map((id) => piecesOf(shop, id)));
        const gone = ids.map((_, index) =>
          made.reduce((sum, { products, pieces }) => sum + (products.includes(index) ? pieces : 0), 0),
        );
        expect(left).toEqual([3, 5, 8, 100].map((quantity, index) => quantity - (gone[index] ?? 0)));
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
        for (const [index, cashboxId] of desks.entries()) {
          const postings = await postingsAt(actor, cashboxId);
          const money = await cashInDesk({ ...shop, cashboxId });
          const paid = made
            .filter(({ desk }) => desk === index)
            .reduce((sum, { products, pieces }) => sum + products.length * pieces * PRICE, 0);
          expect(money).toBe(paid);
          expect(postings.reduce((sum, { amount }) => sum + amount, 0)).toBe(money);
          // The balances after the postings are the running sums, in some order.
          const afters = postings.map(({ after }) => Number(after)).sort((a, b) => a - b);
          expect(afters.at(-1) ?? 0).toBe(money);
          expect(new Set(afters).size).toBe(afters.length);
        }
      },
    ),
    { numRuns: 6 },
  );
});
