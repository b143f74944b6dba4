import { afterAll, describe, expect } from 'vitest';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { products } from '#lib/catalog/card.ts';
import { repricings } from '#lib/catalog/repricing/record.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { create } from '#lib/trade/repricing/reprice.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { newCards } from '#tests/support/stock.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** Creates a family with three products of 5 000 each, and a repricing of them. */
async function newScene() {
  const family = await newFamily();
  const ids = await newCards(family, 3);
  const actor = directorAs(family.directorId, family.companyId);
  const inputOf = (turn: number) =>
    RepricingInput.parse({
      company_id: family.companyId,
      currency_rate: 13_000 + turn,
      products: ids.map((product_id) => ({ product_id, sale_price: 6000 + turn, sale_currency: 'uzs' })),
    });
  const run = (turn: number, saveResponse: () => Write[]) =>
    create(actor, inputOf(turn), { at: Date.now(), locale: 'ru' }, saveResponse);
  /** The prices, the rate and how many batches there are, in sums. */
  const seen = async () => {
    const [cards, { rates }, batches] = await Promise.all([
      getItems(ids.map((id) => recordKey(products.type, actor.tenant, id))),
      ratesOf(actor.tenant, family.companyId),
      wholePartition(partition(repricings.type, actor.tenant)),
    ]);
    const prices = cards.map((card) => parseRecord(products.schema, card).sale_price / 100);
    return { prices: [...new Set(prices)], rate: rates.usd / 100, batches: batches.length };
  };
  return { run, seen };
}

type Seen = Awaited<ReturnType<Awaited<ReturnType<typeof newScene>>['seen']>>;

const scene = await newScene();

const repricing = {
  prepare: async () => scene.seen(),
  run: ({ batches }: Seen, saveResponse: () => Write[]) => scene.run(batches, saveResponse),
  undone: async (before: Seen) => expect(await scene.seen()).toEqual(before),
  check: async ({ batches }: Seen) => {
    const after = { prices: [6000 + batches], rate: 13_000 + batches, batches: batches + 1 };
    expect(await scene.seen()).toEqual(after);
  },
};

describe('a batch of repricing is made whole or not at all', () => {
  testDisrupted(proxy, 5, async () => repricing);
});
