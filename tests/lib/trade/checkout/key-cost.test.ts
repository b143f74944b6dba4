import { expect, test } from 'vitest';
import { idempotentCallOf } from '#lib/http/definition/idempotency.ts';
import { responseText } from '#lib/http/wire/response.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import { newEvent } from '#tests/support/event.ts';
import { directorAs } from '#tests/support/family.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';

async function measure(work: () => Promise<unknown>) {
  const meter = newMeter();
  await runInContext({ meter }, work);
  return { units: unitsOf(meter), trips: roundTripsOf(meter) };
}

test('a sale with a key costs no more round trips and units than one with Idempotency-Key', async () => {
  const shop = await newShop();
  const ids = await Promise.all([1, 2, 3].map(() => newGoods(shop, [{ quantity: 100, cost: 1 }])));
  const actor = directorAs(shop.directorId, shop.companyId);
  const input = (given: object) =>
    SaleInput.parse(
      saleBody(shop, {
        products: ids.map((product_id) => ({ product_id, sold_quantity: 1 })),
        transactions: [{ payment_type: 'cash', amount: 15_000 }],
        ...given,
      }),
    );
  await sell(actor, input({}), Date.now(), { saveResponse: nothing });
  const [event] = newEvent({ method: 'POST', headers: { 'idempotency-key': 'till-1' }, body: '{}' });
  const repetition = idempotentCallOf(event, actor.id, (answer) => responseText(Sale, answer, 'ru'));
  const saveResponse = repetition?.saveResponse ?? nothing;
  // The endpoint reads the saved response in parallel with authentication: a read, but no round trip.
  const recall = await measure(async () => repetition?.recall());
  const remembered = await measure(() => sell(actor, input({}), Date.now(), { saveResponse }));
  const keyed = await measure(() =>
    sell(actor, input({ key: 'till-1' }), Date.now(), { saveResponse: nothing }),
  );
  expect(keyed.trips).toBeLessThanOrEqual(remembered.trips);
  expect(keyed.units).toBeLessThanOrEqual(remembered.units + recall.units);
});
