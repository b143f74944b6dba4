import * as z from 'zod';
import { copyDocument } from '#bench/support/copy-document.ts';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { addDesks, COST, PRICE, saleBodyOf } from '#bench/support/shop.ts';
import { updateRollupKinds } from '#bench/support/write-items.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';

const DAYS = 31;
const DAY_MS = 86_400_000;

/** A day's sales of each desk. */
const EACH_DAY = 3;

/**
 * Returns scenes that report a month of this many new desks: sales, cash and goods, whose sums must match the
 * sales.
 */
export async function monthScenes({ client, shop, actor }: MeasuredShop, size: number): Promise<Scene[]> {
  const desks = await addDesks(client, `Reported ${size}`, size);
  const [first = 0] = desks;
  const product = shop.products.slice(0, 1);
  const id = await client.make('/company/trade/sale', saleBodyOf(shop, first, product));
  const sale = { type: sales.type, tenant: actor.tenant, id };
  const posting = { type: POSTING, tenant: actor.tenant, id: await postingOf(actor.tenant, id) };
  const changesOf = overDesks(desks, Date.now());
  for (const each of [sale, posting]) await copyDocument(each, desks.length * DAYS * EACH_DAY, changesOf);
  await updateRollupKinds(ALL_ROLLUPS, actor.tenant);
  const today = dayOf(Date.now());
  const period = `filter[date][0]=${daysAfter(today, 1 - DAYS)}&filter[date][1]=${today}`;
  const parameters = [period, ...desks.map((desk) => `filter[cashbox_id][]=${desk}`)].join('&');
  const count = desks.length * DAYS * EACH_DAY + 1;
  const sum = count * PRICE;
  const ask = (report: string, row: z.ZodType) => () => ({
    request: `GET /company/report/${report}&${parameters}`,
    answer: z.object({ totals: z.tuple([row]) }),
  });
  const sold = z.object({ sales_count: z.literal(count), sold_amount: z.literal(sum) });
  const moved = z.object({ opening: z.literal(0), income: z.literal(sum), closing: z.literal(sum) });
  const goods = z.object({
    quantity: z.literal(count),
    returned_quantity: z.literal(0),
    revenue: z.literal(sum),
    cost: z.literal(count * COST),
  });
  const what = `${DAYS} days of ${size} desks`;
  return scenesOf(
    { warm: 3, times: 20 },
    {
      [`sales by day, ${what}`]: ask('sales?group=day', sold),
      [`sales by desk, ${what}`]: ask('sales?group=cashbox', sold),
      [`cash by day, ${what}`]: ask('cash?group=day', moved),
      [`cash by desk, ${what}`]: ask('cash?group=cashbox', moved),
      [`goods by product, ${what}`]: ask('products?group=product', goods),
      [`goods by category, ${what}`]: ask('products?group=category', goods),
      [`goods by brand, ${what}`]: ask('products?group=brand', goods),
    },
  );
}

/** Reads the posting of a sale's payment. */
async function postingOf(tenant: Tenant, id: number): Promise<number> {
  const sale = await getItem(recordKey(sales.type, tenant, id));
  const Paid = z.object({ transactions: z.tuple([z.object({ transfer_id: z.int() })]) });
  return Paid.parse(sale).transactions[0].transfer_id;
}

/** Distributes documents over desks, and over the days up to now. */
function overDesks(desks: readonly number[], now: number): (index: number) => Item {
  return (index) => {
    const at = now - (index % DAYS) * DAY_MS;
    return { cashbox_id: desks[Math.floor(index / (DAYS * EACH_DAY))], created_at: at, sold_at: at };
  };
}
