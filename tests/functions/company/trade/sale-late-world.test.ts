import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { edit as editClient } from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { completeStocktake } from '#lib/trade/stocktake/end.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import { start } from '#lib/trade/stocktake/start.ts';
import { ONE } from '#lib/values/quantity.ts';
import { renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { directorAs, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, sendOfflineSales } from '#tests/support/offline.ts';
import {
  askFor,
  FIRST_WORLD,
  type Happening,
  happening,
  type SaleOfTill,
  type Selling,
  SLOTS,
  selling,
  slotFor,
  slotsOf,
  type World,
  worldAfter,
} from '#tests/support/offline-world.ts';
import { bundleWas, cardWas, currencyWas, oldGoods, oldShop, rateWas } from '#tests/support/past.ts';
import { make } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';
import { addMoney, piecesOf, type Shop } from '#tests/support/shop.ts';
import { rowIds } from '#tests/support/stocktakes.ts';

const MINUTE_MS = 60_000;
const LONG_AGO = 50 * 24 * 60;
const PERSON = { full_name: 'Aziz', main_phone: '998901112233' };

/** Creates a shop, with the till that sells there and another desk's cashier. */
async function newScene() {
  const { shop, id: free } = await oldShop(freeCard(FIRST_WORLD));
  const fixed = await oldGoods(shop, fixedCard(FIRST_WORLD));
  const part = await oldGoods(shop);
  const made = { price: FIRST_WORLD.bundle.price / 100, products: [{ product_id: part, quantity: 2 }] };
  const bundle = await bundleWas(shop, LONG_AGO, made);
  await rateWas(shop, 'usd', LONG_AGO, FIRST_WORLD.usd / 100);
  await addMoney(shop, { cash_uzs: 1_000_000_000_000, cash_usd: 1_000_000_000 });
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const rights = ['company.trade.sale.store', 'company.trade.sale.late'];
  const till = await newEmployee(shop, rights, places);
  // With the right to discounts, bundles would sell at prices that none of their contents had.
  const EXCEED = 'company.client.client.exceed-limit';
  const office = await newEmployee(shop, [...rights, 'company.trade.sale.refused.retry', EXCEED], places);
  const desk = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const stranger = await newEmployee(shop, rights, { ...places, cashbox_ids: [desk] });
  const client = await addClient(shop);
  const base = Math.floor(Date.now() / 1000) * 1000 - 10 * MINUTE_MS;
  const timeOf = (slot: number, minutes = 0) => base - (SLOTS - slot) * 30 * MINUTE_MS + minutes * MINUTE_MS;
  return { shop, free, fixed, part, bundle, till, office, stranger, client, timeOf };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

const freeCard = ({ free }: World) => ({
  is_free_price: true,
  sale_price: free.price / 100,
  min_price: free.least / 100,
});

const fixedCard = ({ fixed }: World) => ({ sale_price: fixed / 100, sale_currency: 'usd' });

/** Applies a change of the world to the shop, as of its slot. */
async function change(scene: Scene, { slot, what }: Happening, world: World): Promise<number | undefined> {
  const { shop, timeOf, bundle, part, client } = scene;
  const at = timeOf(slot);
  const minutes = (Date.now() - at) / MINUTE_MS;
  const director = directorAs(shop.directorId, shop.companyId);
  if (what === 'free') await cardWas(shop, scene.free, minutes, freeCard(world));
  if (what === 'fixed') await cardWas(shop, scene.fixed, minutes, fixedCard(world));
  if (what === 'usd') await rateWas(shop, 'usd', minutes, world.usd / 100);
  if (what === 'currency') await currencyWas(shop, world.currency, minutes);
  if (what === 'bundle') {
    const { price, pieces: quantity } = world.bundle;
    const given = { price: price / 100, products: [{ product_id: part, quantity }] };
    await bundleWas(shop, minutes, given, bundle);
  }
  if (what === 'limit') {
    const uzs = world.limit === null ? null : world.limit / 100;
    await editClient(director, client, ClientInput.parse({ ...PERSON, debt_limits: { uzs } }), at);
  }
  return what === 'count' ? countAll(shop, at) : undefined;
}

/** Counts all goods of a shop as they are in the books. */
async function countAll(shop: Shop, at: number): Promise<number> {
  const director = directorAs(shop.directorId, shop.companyId);
  const input = StocktakeInput.parse({ stock_id: shop.stockId, type: 'full' });
  const { id } = await start(director, input, at, nothing);
  const products_tmp = [...(await rowIds(shop)).values()].map((stock_product_id) => {
    return { stock_product_id, actual_quantity: 1000 * ONE };
  });
  await recordCounts(director, id, { products_tmp }, { at, saveResponse: nothing });
  await completeStocktake(director, id, { at, locale: 'ru' }, nothing);
  return id;
}

function bodyOf(
  scene: Scene,
  given: Selling,
  { currency, prices, total, paid }: SaleOfTill,
  key: string,
): object {
  const { shop, free, fixed, bundle, client, timeOf } = scene;
  const { known, sold } = slotsOf(given);
  const isLent = given.pays === 'debt';
  const payment = isLent
    ? { payment_type: 'debt', amount: total / 100 }
    : { payment_type: 'cash', amount: paid.amount / 100, currency: paid.currency };
  return offlineSaleBody(shop, 0, key, {
    currency,
    sold_at: renderInstant(timeOf(sold, 13)),
    ...(given.isKnownNamed && { known_at: renderInstant(timeOf(known, 10)) }),
    products: [
      { product_id: free, sold_quantity: given.free, price: prices.free / 100 },
      ...(given.fixed > 0
        ? [{ product_id: fixed, sold_quantity: given.fixed, price: prices.fixed / 100 }]
        : []),
    ],
    bundles:
      given.bundles > 0 ? [{ bundle_id: bundle, quantity: given.bundles, price: prices.bundle / 100 }] : [],
    transactions: [payment],
    change_amount: paid.change / 100,
    ...(isLent && { client_id: client, due_date: '2099-01-01' }),
  });
}

const Sale = z.looseObject({
  sold_amount: z.number(),
  payment_rates: z.record(z.string(), z.number()).nullable(),
  products: z.array(
    z.looseObject({
      product_id: z.int(),
      sold_quantity: z.number(),
      counted_since: z.int().nullable(),
    }),
  ),
});

/** Days at a shop: its world in each slot, and the slots of its stocktakes. */
interface Days {
  readonly worldAt: (slot: number) => World;
  readonly counts: readonly { readonly slot: number; readonly id: number }[];
}

/** Applies the events in order. */
async function play(scene: Scene, unordered: readonly Happening[]): Promise<Days> {
  const worlds: World[] = [FIRST_WORLD];
  const counts: { slot: number; id: number }[] = [];
  for (let slot = 1; slot < SLOTS; slot++) {
    const before = worlds.at(-1) ?? FIRST_WORLD;
    const happens = unordered.find((each) => each.slot === slot);
    const world = happens ? worldAfter(before, happens) : before;
    const id = happens && (await change(scene, happens, world));
    if (id !== undefined) counts.push({ slot, id });
    worlds.push(world);
  }
  return { worldAt: (slot) => worlds[Math.min(Math.max(0, slot), SLOTS - 1)] ?? FIRST_WORLD, counts };
}

/** Uploaded sale, with the slot that allows it; undefined if none does. */
interface Tried {
  readonly given: Selling;
  readonly asked: SaleOfTill;
  readonly slot: number | undefined;
  readonly body: object;
}

/** Expects that another desk's cashier learns nothing of sales uploaded with this desk's keys. */
async function expectNothingTold({ shop, stranger }: Scene, tried: readonly Tried[]): Promise<void> {
  const bodies = tried.map(({ body }) => body);
  for (const row of await sendOfflineSales(shop, bodies, stranger)) {
    expect(row).toMatchObject({ status: 422, sale: null, sale_id: null, refused_id: null });
    expect(Object.keys(row.errors ?? {})).toEqual(['cashbox_id']);
  }
}

/** Returns whether a sale exceeds its client's debt limit, both that of its slot and the current one. */
function isTooMuch({ worldAt }: Days, { given, asked, slot = 0 }: Tried, owed: number): boolean {
  if (!isLentInSums(given, asked)) return false;
  const limits = [worldAt(slot).limit, worldAt(SLOTS).limit].map((each) => each ?? Number.POSITIVE_INFINITY);
  return owed + asked.total > Math.max(...limits);
}

function isLentInSums({ pays }: Selling, { currency }: SaleOfTill): boolean {
  return pays === 'debt' && currency === 'uzs';
}

/** Expects that a sale equals its request, in the slot that allows it. */
async function expectSold(scene: Scene, { worldAt, counts }: Days, tried: Tried, id: number): Promise<void> {
  const { given, asked, slot = 0 } = tried;
  const { body } = await call(`GET /company/trade/sale/${id}`, { token: scene.shop.director });
  const sale = Sale.parse(body);
  const world = worldAt(slot);
  const since = counts.find((each) => each.slot > slotsOf(given).sold)?.id ?? null;
  const told = sale.products.map((line) => [line.product_id, line.sold_quantity, line.counted_since]);
  const lines = [
    [scene.free, given.free, since],
    [scene.fixed, given.fixed, since],
    [scene.part, given.bundles * world.bundle.pieces, since],
  ].filter(([, quantity]) => quantity !== 0);
  const what = JSON.stringify(tried);
  expect(told, what).toEqual(lines);
  expect(sale.sold_amount, what).toBe(asked.total / 100);
  if (given.pays === 'foreign') expect(sale.payment_rates?.['usd'], what).toBe(world.usd / 100);
}

type Row = Awaited<ReturnType<typeof sendOfflineSales>>[number];

/** Returns the sale of a row; if only its debt exceeded the limit, the sale of a retry that accepts it. */
async function saleIn(scene: Scene, row: Row | undefined, isOwed: boolean): Promise<number> {
  if (!isOwed) return row?.sale?.id ?? 0;
  expect(Object.keys(row?.errors ?? {})).toEqual(['transactions.0.amount']);
  return retry(scene, row?.refused_id ?? 0);
}

/** Number of sales sold, and refused. */
const seen = { sold: 0, refused: 0 };

async function tryAll(scene: Scene, days: Days, tried: readonly Tried[]): Promise<void> {
  const { shop, till, part } = scene;
  const bodies = tried.map(({ body }) => body);
  const rows = await sendOfflineSales(shop, bodies, till);
  let [owed, parts] = [0, 0];
  for (const [index, each] of tried.entries()) {
    const row = rows[index];
    const isOwed = isTooMuch(days, each, owed);
    const isRight = each.slot !== undefined;
    const what = JSON.stringify({ ...each, isOwed, errors: row?.errors });
    expect(row?.status, what).toBe(isRight && !isOwed ? 200 : 422);
    // A sale by a consistent replica is right.
    if (!each.given.cheats) expect(isRight, what).toBe(true);
    seen[isRight ? 'sold' : 'refused'] += 1;
    if (!isRight) continue;
    await expectSold(scene, days, each, await saleIn(scene, row, isOwed));
    // A retried sale adds its debt after the whole batch.
    if (!isOwed && isLentInSums(each.given, each.asked)) owed += each.asked.total;
    parts += each.given.bundles * days.worldAt(each.slot ?? 0).bundle.pieces;
  }
  const again = await sendOfflineSales(shop, bodies, till);
  expect(again.map(({ status }) => status)).toEqual(
    tried.map(({ slot }) => (slot === undefined ? 422 : 200)),
  );
  expect(await piecesOf(shop, part)).toBe(1000 - parts);
}

test('nothing is sold that no single moment allowed, and nothing that a till rightly sold is refused for good (Part 4, 4.4 (3))', async () => {
  const happenings = fc.uniqueArray(happening, { selector: ({ slot }) => slot, minLength: 4, maxLength: 14 });
  const sales = fc.array(selling, { minLength: 6, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(happenings, sales, async (unordered, wanted) => {
      const scene = await newScene();
      const days = await play(scene, unordered);
      const tried = wanted.map((given, index) => {
        const asked = askFor(days.worldAt, given);
        const slot = slotFor(days.worldAt, given, asked);
        return { given, asked, slot, body: bodyOf(scene, given, asked, `${index}`) };
      });
      await expectNothingTold(scene, tried);
      await tryAll(scene, days, tried);
      await expectNothingTold(scene, tried);
      // Test support puts money into the desk without a document.
      const faults = await faultsOf(scene.shop);
      expect(faults.filter((fault) => !fault.startsWith('desks'))).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect([seen.sold > 0, seen.refused > 0]).toEqual([true, true]);
});

/** Retries a refused sale with the right to exceed the client's debt limit, and returns the sale. */
async function retry({ shop, office: token }: Scene, id: number): Promise<number> {
  const { body } = await call(`GET ${REFUSED}/${id}`, { token: shop.director });
  const { bodies } = z.looseObject({ bodies: z.array(z.record(z.string(), z.unknown())) }).parse(body);
  const json = { ...bodies.at(-1), exceed_limit: true };
  const retried = await call(`PATCH ${REFUSED}/${id}/retry`, { token, json });
  expect(retried).toMatchObject({ status: 200, body: { status: 'sold' } });
  return retried.number('sale_id');
}
