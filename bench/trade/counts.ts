import { type Client, clientWith, make, tokenOf } from '#bin/demo/client.ts';
import { isIn, type Staff } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { products } from '#lib/catalog/product/card.ts';
import { balanceKey, STOCK_PRODUCT } from '#lib/stock/balance.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { countProducts } from '#lib/trade/inventory/counting/count.ts';
import { completeCount } from '#lib/trade/inventory/end.ts';
import { finishCount } from '#lib/trade/inventory/finish.ts';
import { ONE } from '#lib/values/quantity.ts';
import { watchMemory } from '../memory.ts';
import { linesOf, quantile, startMeasured } from '../service.ts';
import { setUpShop } from '../shop.ts';
import { billedAtMost } from '../units.ts';
import { writeItems } from '../write-items.ts';

/** What a count of so many positions takes. Times in milliseconds, over HTTP. */
interface CountFigure {
  readonly what: string;
  readonly start_ms: number;
  /** Of a hundred positions: the middle call, with its units as AWS bills them. */
  readonly add_ms: number;
  readonly add_units: number;
  /** Of those, on the partition that has most. */
  readonly add_hottest: number;
  readonly complete_ms: number;
  readonly complete_round_trips: number;
  readonly complete_units: number;
  readonly complete_hottest: number;
  readonly memory_mb: number;
  /** What the worker does behind it. */
  readonly finish_ms: number;
  readonly finish_units: number;
}

const COUNTS = '/company/trade/inventory';
const SIZES = (process.env['SIZES'] ?? '100,1000,10000').split(',').map(Number);
const A_CALL = 100;

/** A warehouse with so many positions, and its director. */
interface Store {
  readonly actor: Staff;
  readonly client: Client;
  readonly stockId: number;
  readonly rows: readonly number[];
}

/** Counts warehouses in which every third position matches, one has more and one has less. */
export async function measureCounts(): Promise<CountFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const token = await tokenOf(service.address, 'director');
  const at = Date.now();
  const actor = await identify(await readToken(token, at), at);
  if (!isIn('company', actor)) throw new Error('A director is staff');
  const client = clientWith(service.address, token);
  const shop = await setUpShop(client, 1, 0, 10);
  const figures: CountFigure[] = [];
  // The first one finds function and database cold: it is not told.
  for (const [index, size] of [A_CALL, ...SIZES].entries()) {
    const stockId = await make(client, '/company/stock/stock', { name: `Bench ${index}: ${size}` });
    const rows = await copyGoods(actor.home, { from: shop.stock, to: stockId }, shop.products[0] ?? 0, size);
    const store = { actor, client, stockId, rows };
    const { start_ms, id, add_ms } = await countOverHttp(store);
    const route = `PATCH ${COUNTS}/{model}/complete`;
    const complete_ms = await timed(() => expectDone(client(`PATCH ${COUNTS}/${id}/complete`)));
    const line = (await linesOf(service, route, index + 1)).at(-1);
    const finish_ms = await timed(() => finishCount({ family_id: actor.familyId, id }));
    figures.push({
      what: `count, ${size} positions`,
      start_ms,
      add_ms,
      complete_ms,
      complete_round_trips: line?.round_trips ?? 0,
      finish_ms,
      ...(await billed(store)),
    });
  }
  await service.stop();
  return figures.slice(1);
}

/** Counts the same warehouse once more, in this process, to see what is billed and held. */
async function billed(store: Store) {
  const { actor, client, stockId, rows } = store;
  const id = await make(client, COUNTS, { stock_id: stockId, type: 'full' });
  const adding = await billedAtMost(() => add(store, id, rows.slice(0, A_CALL)));
  for (let from = A_CALL; from < rows.length; from += A_CALL) {
    await add(store, id, rows.slice(from, from + A_CALL));
  }
  const memory = watchMemory();
  const completing = await billedAtMost(() =>
    completeCount(actor, id, { at: Date.now(), locale: 'ru' }, () => []),
  );
  const memory_mb = memory.stop();
  const finishing = await billedAtMost(() => finishCount({ family_id: actor.familyId, id }));
  return {
    add_units: adding.written_units,
    add_hottest: adding.hottest,
    complete_units: completing.written_units,
    complete_hottest: completing.hottest,
    memory_mb,
    finish_units: finishing.written_units,
  };
}

async function countOverHttp({ client, stockId, rows }: Store) {
  let id = 0;
  const start_ms = await timed(async () => {
    id = await make(client, COUNTS, { stock_id: stockId, type: 'full' });
  });
  const added: number[] = [];
  for (let from = 0; from < rows.length; from += A_CALL) {
    const json = { products_tmp: counted(rows.slice(from, from + A_CALL), 1, 0) };
    added.push(await timed(() => expectDone(client(`PATCH ${COUNTS}/${id}/add-products`, json))));
  }
  return { start_ms, id, add_ms: Math.round(quantile(added)) };
}

function add({ actor }: Store, id: number, rows: readonly number[]): Promise<void> {
  return countProducts(
    actor,
    id,
    { products_tmp: counted(rows, ONE, 1) },
    { at: Date.now(), remember: () => [] },
  );
}

/** Gives so many pieces of each as no count before: `turn` is how often it was counted. */
function counted(rows: readonly number[], unit: number, turn: number) {
  return rows.map((stock_product_id, index) => ({
    stock_product_id,
    actual_quantity: (9 + ((index * (turn + 1)) % 3)) * unit,
  }));
}

async function expectDone(calling: ReturnType<Client>): Promise<void> {
  const { status, body } = await calling;
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

/** Fills a warehouse with goods like one of another, and answers with the ids of its rows. */
async function copyGoods(
  home: Home,
  { from, to }: { readonly from: number; readonly to: number },
  id: number,
  count: number,
): Promise<number[]> {
  const cardKey = recordKey(products.type, home, id);
  const [card, balance] = await getItems([cardKey, balanceKey(home, from, id)]);
  const [firstCard, firstRow] = await Promise.all([
    nextId(products.type, home, count),
    nextId(STOCK_PRODUCT, home, count),
  ]);
  const items = Array.from({ length: count }, (_, index) => {
    const [product_id, row] = [firstCard + index, firstRow + index];
    const listing = { id: row, stock_id: to, product_id, created_at: balance?.['created_at'], version: 1 };
    return [
      {
        ...card,
        ...recordKey(products.type, home, product_id),
        id: product_id,
        barcode: `copy ${product_id}`,
      },
      { ...balance, ...listing, ...balanceKey(home, to, product_id) },
      { ...listing, ...recordKey(STOCK_PRODUCT, home, row) },
    ];
  });
  await writeItems(items.flat());
  return Array.from({ length: count }, (_, index) => firstRow + index);
}
