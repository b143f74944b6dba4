import { make } from '#bin/demo/client.ts';
import { products } from '#lib/catalog/product/card.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { create } from '#lib/trade/repricing/reprice.ts';
import { watchMemory } from '../memory.ts';
import { billedAtMost } from '../units.ts';
import { writeItems } from '../write-items.ts';
import { type DocumentFigure, measureCalls, middleOf, setUpTrade } from './documents.ts';

/** What a batch of so many rows takes: the median of some calls. */
interface RepricingFigure extends DocumentFigure {
  readonly slowest_ms: number;
  readonly allowed_ms: number;
  readonly memory_mb: number;
}

const BATCHES = 'POST /company/trade/recalculation-batch';

// The first calls of each size find function and database cold: they are not counted.
const SIZES = [
  { rows: 10, warm: 5, calls: 11, allowed_ms: 200 },
  { rows: 1000, warm: 3, calls: 7, allowed_ms: 2000 },
  { rows: 10_000, warm: 0, calls: 3, allowed_ms: 20_000 },
];
const MOST = 10_000;

/** Reprices goods that have a cost and get a minimum price, at a new rate of the dollar. */
export async function measureRepricing(): Promise<RepricingFigure[]> {
  const scene = await setUpTrade(1);
  const { actor, client, shop } = scene;
  const ids = await copyGoods(actor.home, shop.stock, shop.products[0] ?? 0);
  await make(client, '/company/stock/stock', { name: 'Bench, empty' });
  const figures: RepricingFigure[] = [];
  for (const { rows, warm, calls, allowed_ms } of SIZES) {
    const batch = (turn: number) => batchOf(actor.companyId, ids.slice(0, rows), turn);
    const callOf = (turn: number) => ({ request: BATCHES, json: batch(turn) });
    const measured = (await measureCalls(scene, warm + calls, callOf)).slice(warm);
    const memory = watchMemory();
    const billed = await billedAtMost(() =>
      create(actor, RepricingInput.parse(batch(warm + calls)), { at: Date.now(), locale: 'ru' }, () => []),
    );
    figures.push({
      what: `repricing, ${rows} rows`,
      ...middleOf(measured),
      slowest_ms: Math.max(...measured.map(({ ms }) => ms)),
      allowed_ms,
      ...billed,
      memory_mb: memory.stop(),
    });
  }
  await scene.service.stop();
  return figures;
}

function batchOf(company_id: number, ids: readonly number[], turn: number): object {
  const rows = ids.map((product_id, index) => ({
    product_id,
    sale_price: 12_345.67 + index + turn,
    sale_currency: 'uzs',
    markup_percent: 12.34,
    price_without_rounding: 12_345.67 + index,
    previous_price: 5000,
    min_price: 4000,
    min_price_percent: 10.5,
  }));
  return { company_id, rounding_type: 'smart', currency_rate: 12_700 + turn, products: rows };
}

/** Writes so many cards like one, each with what a warehouse has of it. */
async function copyGoods(home: Home, stockId: number, id: number): Promise<number[]> {
  const cards = recordKey(products.type, home, id);
  const [card, balance] = await getItems([cards, balanceKey(home, stockId, id)]);
  const first = await nextId(products.type, home, MOST);
  const ids = Array.from({ length: MOST }, (_, index) => first + index);
  await writeItems(
    ids.flatMap((each) => [
      { ...card, ...recordKey(products.type, home, each), id: each, barcode: `copy ${each}` },
      { ...balance, ...balanceKey(home, stockId, each), id: each, product_id: each },
    ]),
  );
  return ids;
}
