import { clientWith, make, tokenOf } from '#bin/demo/client.ts';
import { isIn } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { products } from '#lib/catalog/product/card.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { create } from '#lib/trade/repricing/reprice.ts';
import { watchMemory } from '../memory.ts';
import { linesOf, startMeasured } from '../service.ts';
import { setUpShop } from '../shop.ts';
import { billedWrites } from '../units.ts';
import { writeItems } from '../write-items.ts';

/** What a batch of so many rows takes. Times in milliseconds, over HTTP. */
interface RepricingFigure {
  readonly what: string;
  readonly status: number;
  readonly ms: number;
  readonly allowed_ms: number;
  readonly sent_kb: number;
  readonly answered_kb: number;
  readonly round_trips: number;
  /** As AWS bills them. */
  readonly written_units: number;
  readonly memory_mb: number;
}

const BATCHES = 'POST /company/trade/recalculation-batch';
const CALLS = [
  { rows: 10, allowed_ms: 200 },
  { rows: 1000, allowed_ms: 2000 },
  { rows: 10_000, allowed_ms: 20_000 },
];
const MOST = 10_000;

/** Reprices goods that have a cost and get a minimum price, at a new rate of the dollar. */
export async function measureRepricing(): Promise<RepricingFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const token = await tokenOf(service.address, 'director');
  const at = Date.now();
  const actor = await identify(await readToken(token, at), at);
  if (!isIn('company', actor)) throw new Error('A director is staff');
  const client = clientWith(service.address, token);
  const shop = await setUpShop(client, 1, 0);
  const ids = await copyGoods(actor.home, shop.stock, shop.products[0] ?? 0);
  await make(client, '/company/stock/stock', { name: 'Bench, empty' });
  const figures: RepricingFigure[] = [];
  for (const [index, { rows, allowed_ms }] of CALLS.entries()) {
    const json = batchOf(actor.companyId, ids.slice(0, rows), index);
    const began = performance.now();
    const { status, body } = await client(BATCHES, json);
    const ms = Math.round(performance.now() - began);
    const line = (await linesOf(service, BATCHES, index + 1)).at(-1);
    const memory = watchMemory();
    const written_units = await billedWrites(() =>
      create(actor, RepricingInput.parse(json), { at: Date.now(), locale: 'ru' }, () => []),
    );
    figures.push({
      what: `repricing, ${rows} rows`,
      status,
      ms,
      allowed_ms,
      sent_kb: kilobytesOf(json),
      answered_kb: kilobytesOf(body),
      round_trips: line?.round_trips ?? 0,
      written_units,
      memory_mb: memory.stop(),
    });
  }
  await service.stop();
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

function kilobytesOf(value: unknown): number {
  return Math.round(Buffer.byteLength(JSON.stringify(value)) / 1000);
}
