import { afterAll, describe, expect } from 'vitest';
import { products } from '#lib/catalog/card.ts';
import { repricings } from '#lib/catalog/repricing/record.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { ProductSyncInput } from '#lib/stock/product-upsert/row.ts';
import { upsertProducts } from '#lib/stock/product-upsert/upsert.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const family = await newFamily();
const catalog = await newCatalog(family);
const actor = directorAs(family.directorId, family.companyId);
const ever = card(catalog);

/** Reads the products of other systems, by external id, and how often one was repriced. */
async function seen() {
  const [cards, batches] = await Promise.all([
    wholePartition(partition(products.type, actor.tenant)),
    wholePartition(partition(repricings.type, actor.tenant)),
  ]);
  const prices = cards.map((item) => {
    const { external_id, sale_price } = parseRecord(products.schema, item);
    return `${external_id} ${sale_price / 100}`;
  });
  return { prices: prices.sort(), batches: batches.length };
}

/** Upserts two products: one is new each time, one changes its price. */
async function run(turn: number) {
  const rows = [
    { ...card(catalog), barcode: `new-${turn}`, external_id: `new-${turn}` },
    { ...ever, external_id: 'ever', sale_price: 6000 + turn },
  ];
  const input = ProductSyncInput.parse({ products: rows });
  const { data } = await upsertProducts(actor, input, { at: Date.now(), locale: 'ru' });
  // A caller retries the rows that were not reached.
  if (data.some(({ status }) => status === 503)) throw new Error('Not all rows were reached');
  expect(data.map(({ status }) => status)).toEqual([200, 200]);
}

await run(0);

type Seen = Awaited<ReturnType<typeof seen>>;

const turnOf = ({ prices }: Seen) => prices.length - 1;

const synchronization = {
  isKeyless: true,
  prepare: seen,
  // A caller without a response, or without all rows, retries.
  run: (before: Seen) => run(turnOf(before)).catch(() => run(turnOf(before))),
  check: async (before: Seen) => {
    const turn = turnOf(before);
    const { prices } = await seen();
    expect(prices).toContain(`ever ${6000 + turn}`);
    expect(prices).toEqual(
      [
        ...before.prices.filter((each) => each.startsWith('new')),
        `ever ${6000 + turn}`,
        `new-${turn} 5000`,
      ].sort(),
    );
  },
};

describe('a call that brings products', () => {
  testDisrupted(proxy, 4, async () => synchronization);
});
