import { expect, test } from 'vitest';
import * as z from 'zod';
import type { SyncType } from '#lib/records/sync-type.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { appendToFeed } from '#lib/table/feed/pages.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { meanwhile } from '#tests/support/meanwhile.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newCards, PURCHASES } from '#tests/support/stock.ts';

const Record = z.looseObject({ id: z.int() });

let calls = 0;

/** Requests a page, each time two seconds later: a minute allows thirty final ones. */
function ask({ directorId, companyId }: Shop, asked: object) {
  calls += 1;
  const actor = directorAs(directorId, companyId);
  return sync({ actor, query: SyncQuery.parse(asked), at: Date.now() + calls * 2000, locale: 'ru' });
}

/** Reads records of a type, by id. */
async function readAll(shop: Shop, type: SyncType) {
  const { data } = await ask(shop, { types: [type] });
  return new Map(data.map(({ id, revision, record }) => [id, { revision, record: Record.parse(record) }]));
}

interface Changing {
  readonly type: SyncType;
  /** Creates a document, and returns its id. */
  readonly prepare: (shop: Shop) => Promise<number>;
  readonly change: (shop: Shop, id: number) => Promise<{ readonly status: number }>;
}

const water = (shop: Shop) => newGoods(shop, [{ quantity: 1000, cost: 1 }], { sale_price: 1 });

const bought = (ids: readonly number[]) =>
  ids.map((product_id, index) => ({ product_id, quantity: index + 1, cost: 2 }));

const draft = (shop: Shop, products: object[]) => ({ stock_id: shop.stockId, currency: 'uzs', products });

const CHANGING: readonly Changing[] = [
  {
    type: 'trade.sale',
    prepare: async (shop) =>
      sellFor(shop, {
        products: [{ product_id: await water(shop), sold_quantity: 5 }],
        transactions: [{ payment_type: 'cash', amount: 5 }],
      }),
    change: async (shop, id) => {
      const [line] = await linesOfSale(shop, id);
      return sendReturn(shop, id, back({ [line?.id ?? 0]: 2 }, 2));
    },
  },
  {
    type: 'trade.purchase',
    prepare: async (shop) => make(PURCHASES, shop.director, draft(shop, bought(await newCards(shop, 2)))),
    change: async (shop, id) =>
      call(`PUT ${PURCHASES}/${id}`, {
        token: shop.director,
        // More packs of lines than before.
        json: draft(shop, bought([...(await newCards(shop, 60)), ...(await newCards(shop, 60))])),
      }),
  },
];

test.each(CHANGING)(
  '$type: lines are from the same moment as the head, whenever it changes while it is read',
  async ({ type, prepare, change }) => {
    let isMet = true;
    for (let each = 0; isMet; each++) {
      const shop = await newShop();
      const id = await prepare(shop);
      const before = (await readAll(shop, type)).get(id);
      const start = await ask(shop, { types: [type], limit: 500 });
      const { made: page, ...met } = await meanwhile(
        each,
        async () => expect(await change(shop, id)).toMatchObject({ status: 200 }),
        () => ask(shop, { types: [type], limit: 500 }),
      );
      isMet = met.isMet;
      const after = (await readAll(shop, type)).get(id);
      const seen = page.data.find((entry) => entry.id === id);
      // Either left out, as its change follows, or in its state before or after.
      if (seen) expect([before, after]).toContainEqual({ revision: seen.revision, record: seen.record });
      if (!isMet) expect(seen).toBeDefined();
      await appendToFeed(familyTenant(shop.companyId), [[type, id, null, null, null]], Date.now());
      let news = await ask(shop, { cursor: start.cursor });
      while (news.has_more && news.data.length === 0) news = await ask(shop, { cursor: news.cursor });
      expect(news.data.map((entry) => entry.id)).toContain(id);
    }
  },
);
