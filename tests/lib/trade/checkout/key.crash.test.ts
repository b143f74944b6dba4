import { afterAll, describe, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { directorAs } from '#tests/support/family.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { nothing } from '#tests/support/save-response.ts';
import { cashInDesk, newGoods, newShop, piecesOf, saleBody } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const id = await newGoods(shop, [{ quantity: 1000, cost: 1 }]);
const actor = directorAs(shop.directorId, shop.companyId);

function keyed(key: string) {
  return SaleInput.parse(
    saleBody(shop, {
      key,
      products: [{ product_id: id, sold_quantity: 1 }],
      transactions: [{ payment_type: 'cash', amount: 5000 }],
    }),
  );
}

const sellKeyed = (key: string, saveResponse: () => Write[] = nothing) =>
  sell(actor, keyed(key), Date.now(), { saveResponse });

async function sold() {
  const pieces = await piecesOf(shop, id);
  expect(await cashInDesk(shop)).toBe((1000 - pieces) * 5000);
  return 1000 - pieces;
}

describe('a sale with a key and nothing else to remember it by', () => {
  test('killed after any of its calls, and sent again, is sold once', async () => {
    for (let calls = 0, lived = false; !lived; calls++) {
      const before = await sold();
      lived = await withCalls(calls, () => sellKeyed(`killed-${calls}`));
      const { sale, isReplayed } = await sellKeyed(`killed-${calls}`);
      expect([await sold(), sale.key]).toEqual([before + 1, `killed-${calls}`]);
      if (lived) expect([isReplayed, calls > 5]).toEqual([true, true]);
    }
  });

  test('whose response from the table is lost at any call is sold once, and reported so', async () => {
    for (let call = 0, isMet = true; isMet; call++) {
      const before = await sold();
      let calls = 0;
      const rule = proxy.on(() => calls++ === call, dropAnswer);
      const { sale } = await sellKeyed(`lost-${call}`);
      isMet = rule.count > 0;
      rule.off();
      await proxy.idle();
      const again = await sellKeyed(`lost-${call}`);
      expect([await sold(), again.sale.id, again.isReplayed]).toEqual([before + 1, sale.id, true]);
    }
  });

  test('sent by several tills at once is sold once, and reported to all', async () => {
    const before = await sold();
    const all = await Promise.all(Array.from({ length: 6 }, () => sellKeyed('at-once')));
    expect(new Set(all.map(({ sale }) => sale.id)).size).toBe(1);
    expect(all.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await sold()).toBe(before + 1);
  });
});
