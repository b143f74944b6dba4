import { afterAll, describe, expect } from 'vitest';
import { products } from '#lib/catalog/card.ts';
import { repricings } from '#lib/catalog/repricing/record.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { submit } from '#lib/trade/repricing/plan.ts';
import { startRepricings } from '#lib/trade/repricing/start.ts';
import { renderInstant } from '#lib/values/time.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { minuteFromNow } from '#tests/support/repricing.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newCards } from '#tests/support/stock.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const family = await newFamily();
const ids = await newCards(family, 3);
const actor = directorAs(family.directorId, family.companyId);
const soon = minuteFromNow(2);

async function cards() {
  const items = await getItems(ids.map((id) => recordKey(products.type, actor.tenant, id)));
  return items.map((card) => parseRecord(products.schema, card));
}

let price = 6000;

/** Plans a batch with a price of its own, and notes the versions of the cards. */
async function prepare() {
  price += 1;
  const input = RepricingInput.parse({
    company_id: family.companyId,
    starts_at: renderInstant(soon),
    products: ids.map((product_id) => ({ product_id, sale_price: price, sale_currency: 'uzs' })),
  });
  const { id } = await submit(actor, input, { at: Date.now(), locale: 'ru' }, nothing);
  return { id, price, versions: (await cards()).map(({ version }) => version) };
}

describe('a planned batch, killed anywhere and run again, is made once (Part 5, 5A.14 (3))', () => {
  testDisrupted(proxy, 5, async () => ({
    isKeyless: true,
    prepare,
    run: () => startRepricings(soon),
    check: async ({ id, price: planned, versions }) => {
      const batch = parseRecord(
        repricings.schema,
        await getItem(recordKey(repricings.type, actor.tenant, id)),
      );
      expect(batch).toMatchObject({ status: 'completed', products_count: 3, version: 2 });
      const after = await cards();
      expect(after.map(({ sale_price }) => sale_price)).toEqual(ids.map(() => planned * 100));
      expect(after.map(({ version }) => version)).toEqual(versions.map((version) => version + 1));
    },
  }));
});
