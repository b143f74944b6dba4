import { afterAll, expect, test } from 'vitest';
import { dropAnswer, repeatLater, stayMute } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { countWriteUnits } from '#bench/support/units.ts';
import { clear, get, save } from '#lib/trade/draft/desk.ts';
import { directorAs, newFamilyWithBranch } from '#tests/support/family.ts';
import { make } from '#tests/support/records.ts';
import { newCards, newWarehouse } from '#tests/support/stock.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.parse('2026-11-26T10:00:00Z');

async function newDraft() {
  const family = await newFamilyWithBranch();
  const token = family.director;
  const [product_id = 0] = await newCards(family, 1);
  const stock_id = await newWarehouse(token);
  const cashbox = await make('/company/cashbox/cashbox', token, { name: 'Касса', type: 'sale' });
  const actor = directorAs(family.directorId, family.companyId);
  const place = { cashbox, number: 1 };
  return {
    put: (quantity: number, at = AT) => {
      const products = [{ product_id, quantity, price: null, discount: 0 }];
      return save(
        actor,
        place,
        {
          stock_id,
          client_id: null,
          price_type_id: null,
          products,
          bundles: [],
          services: [],
          discount: null,
        },
        at,
      );
    },
    clear: () => clear(actor, place),
    quantity: async () => (await get(actor, place)).products[0]?.quantity,
  };
}

const isSave = ({ operation, keys: [key] }: WireCall) =>
  operation === 'PutItem' && key?.pk.startsWith('cheque#') === true;

test('a draft is saved by one unit, which is half of a transaction', async () => {
  const draft = await newDraft();
  expect(await countWriteUnits(() => draft.put(1))).toBe(1);
  expect(await countWriteUnits(() => draft.put(2, AT + 1))).toBe(1);
  expect(await draft.quantity()).toBe(2);
});

test.each([
  ['lost', dropAnswer],
  ['never given', stayMute({ isDone: true })],
])('a draft whose answer from the table is %s is saved', async (_, fault) => {
  const draft = await newDraft();
  const rule = faultInTest(proxy, isSave, fault);
  await draft.put(1);
  expect([rule.count, await draft.quantity()]).toEqual([1, 1]);
});

test('a save that comes twice, the second time late, puts nothing back that was saved since', async () => {
  const draft = await newDraft();
  const saved = Promise.withResolvers<void>();
  const rule = faultInTest(proxy, isSave, repeatLater(saved.promise));
  await draft.put(1);
  await draft.put(2, AT + 1);
  saved.resolve();
  await proxy.idle();
  expect([rule.count, await draft.quantity()]).toEqual([1, 2]);
});

test('two saves of one moment are both made, and the one that came last stays', async () => {
  const draft = await newDraft();
  await draft.put(1);
  await draft.put(2);
  expect(await draft.quantity()).toBe(2);
  await draft.clear();
  expect(await draft.quantity()).toBeUndefined();
});
