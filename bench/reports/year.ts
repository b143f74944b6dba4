import * as z from 'zod';
import { copyDocument } from '#bench/support/copy-document.ts';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { addDesks, COST, PRICE, saleBodyOf } from '#bench/support/shop.ts';
import { updateRollupKinds, writeItems } from '#bench/support/write-items.ts';
import { products } from '#lib/catalog/card.ts';
import { linesOfPack, lineWrites } from '#lib/records/lines.ts';
import { returnedGoodsRollups, soldGoodsRollups } from '#lib/reports/rollups/goods.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { ONE } from '#lib/values/quantity.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';

const DAYS = 365;
const DAY_MS = 86_400_000;
const DESKS = 6;
const ASKED_DESKS = 5;
const LINES = 10;

/** Sales of each product in a year. */
const TIMES_SOLD = 120;

/**
 * Step from product to product that visits all of them, as long as it has no common factor with their number.
 */
const STRIDE = 7919;

/** Sales created per write. */
const STEP = 5000;

const PAGE_SIZE = 20;

/** The year's products and desks. */
interface Year {
  readonly sales: number;
  readonly stock: number;
  readonly desks: readonly number[];
  /** First of the products, whose ids are consecutive. */
  readonly first: number;
  readonly products: number;
}

/**
 * Returns scenes that report the goods of a year, of a warehouse of a whole company and of five desks: this
 * many products, with a hundred and twenty lines of each. Part 4, 4.5, 7.
 */
export async function yearScenes(stage: MeasuredShop, size: number): Promise<Scene[]> {
  const { actor } = stage;
  const year = await loadYearOfGoods(stage, size);
  await updateRollupKinds([soldGoodsRollups, returnedGoodsRollups], actor.tenant);
  const today = dayOf(Date.now());
  const period = `filter[date][0]=${daysAfter(today, 1 - DAYS)}&filter[date][1]=${today}`;
  const selected = year.desks.slice(0, ASKED_DESKS);
  const ofDesks = selected.map((desk) => `&filter[cashbox_id][]=${desk}`).join('');
  const ask = (filter: string, desks: readonly number[]) => () => ({
    request: `GET /company/report/products?${period}&page-size=${PAGE_SIZE}${filter}`,
    answer: answerOf(year, desks),
  });
  const what = `${size} products, ${year.sales * LINES} lines of a year`;
  return scenesOf(
    { warm: 2, times: 7, allowed_ms: 2000 },
    {
      [`${what}, whole company`]: ask(`&filter[stock_id][]=${year.stock}`, year.desks),
      [`${what}, ${ASKED_DESKS} of ${DESKS} desks`]: ask(ofDesks, selected),
    },
  );
}

/** Writes the data of the sales directly: cards, headers and lines. */
async function loadYearOfGoods({ client, shop, actor }: MeasuredShop, size: number): Promise<Year> {
  const { tenant } = actor;
  const name = `Reported year of ${size}`;
  const [[product = 0], [desk = 0]] = [shop.products, shop.desks];
  const id = await client.make('/company/trade/sale', saleBodyOf(shop, desk, [product]));
  const year: Year = {
    sales: (size * TIMES_SOLD) / LINES,
    stock: await client.make('/company/stock/stock', { name }),
    desks: await addDesks(client, name, DESKS),
    first: await copyDocument({ type: products.type, tenant, id: product }, size, (_, copy) => ({
      name: `Goods ${copy}`,
    })),
    products: size,
  };
  await writeSales(tenant, year, id);
  return year;
}

async function writeSales(tenant: Tenant, year: Year, like: number): Promise<void> {
  const key = recordKey(sales.type, tenant, like);
  const [header, [pack]] = await Promise.all([getItem(key), wholePartition(`${key.pk}#${like}`)]);
  const [line] = z.tuple([z.looseObject({})]).parse(linesOfPack(pack));
  const [now, first] = [Date.now(), await nextId(sales.type, tenant, year.sales)];
  const ranks = Array.from({ length: year.sales }, (_, rank) => rank);
  for (const some of splitEvery(ranks, STEP)) {
    await writeItems(
      some.flatMap((rank) => saleItems({ header, line, tenant, now }, year, rank, first + rank)),
    );
  }
}

/** A sale used as a template. */
interface Model {
  readonly header: Item | undefined;
  readonly line: Item;
  readonly tenant: Tenant;
  readonly now: number;
}

function saleItems({ header, line, tenant, now }: Model, year: Year, rank: number, id: number): Item[] {
  const at = Math.floor(now - ((year.sales - 1 - rank) * (DAYS - 1) * DAY_MS) / year.sales);
  const place = { cashbox_id: deskOf(year, rank), stock_id: year.stock };
  const sold = goodsOf(year, rank).map((product) => {
    const amounts = { amount: priceOf(product), cost: COST * 100, sold_quantity: ONE };
    return { ...line, ...amounts, product_id: year.first + product };
  });
  const key = recordKey(sales.type, tenant, id);
  const made = { ...header, ...key, ...place, id, created_at: at, sold_at: at, products_count: LINES };
  return [
    made,
    ...lineWrites({ type: sales.type, tenant, id }, sold).flatMap(({ key: pack, change }) =>
      change.kind === 'put' ? [{ ...change.item, ...pack }] : [],
    ),
  ];
}

function deskOf({ desks }: Year, rank: number): number {
  return desks[rank % desks.length] ?? 0;
}

/** Returns the products of a sale, counted from the first. */
function goodsOf({ products: count }: Year, rank: number): number[] {
  return Array.from({ length: LINES }, (_, line) => ((rank * LINES + line) * STRIDE) % count);
}

/** Prices differ, in minor units, so that the order of rows is known. */
function priceOf(product: number): number {
  return PRICE * 100 + product;
}

/** Returns the expected response of some desks: the total, and the product with most revenue. */
function answerOf(year: Year, desks: readonly number[]): z.ZodType {
  const times = new Map<number, number>();
  for (let rank = 0; rank < year.sales; rank++) {
    if (!desks.includes(deskOf(year, rank))) continue;
    for (const product of goodsOf(year, rank)) times.set(product, (times.get(product) ?? 0) + 1);
  }
  const revenues = [...times].map(([product, count]) => ({
    product,
    count,
    revenue: count * priceOf(product),
  }));
  const all = revenues.reduce(
    (sum, { count, revenue }) => ({ count: sum.count + count, revenue: sum.revenue + revenue }),
    { count: 0, revenue: 0 },
  );
  const [{ product, ...own } = { product: 0, ...all }] = revenues.toSorted(
    (a, b) => b.revenue - a.revenue || a.product - b.product,
  );
  const figures = ({ count, revenue }: typeof all) => ({
    quantity: z.literal(count),
    returned_quantity: z.literal(0),
    revenue: z.literal(revenue / 100),
    cost: z.literal(count * COST),
  });
  const row = z.object(figures(all));
  const top = z.object({ key: z.literal(year.first + product), label: z.string(), ...figures(own) });
  return z.object({
    data: z.tuple([top], z.object({ label: z.string() })),
    totals: z.tuple([row]),
    meta: z.object({ total: z.literal(times.size) }),
  });
}
