import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { familyEmbeds } from '#lib/people/family-record.ts';
import { type Embed, linesEmbed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { Sale, SaleWithLines, sales } from './record.ts';
import { readReturns, SaleReturn } from './returns-of.ts';

const embeds = { ...familyEmbeds, cashbox: deskEmbed, stock: warehouseEmbed, client: clientEmbed };

/** Query string of the list. */
export const SaleList = documentQuery(sales.filters, {
  sorts: ['id'],
  totals: amountsIn(Sale),
  lookingSorts: ['sold_at', 'sold_amount'],
  embeds: { ...embeds, products: linesEmbed },
});

/** Query string of a single sale. */
export const SaleEmbeds = embedQuery({ embeds });

/**
 * List the sales of the desks open to the caller, and get one with all its lines, as a return refers to them.
 * Only a sale of many large bundles has so many that the last are shown without their products.
 */
const whole = documentsWithLines(sales, { lines: Number.POSITIVE_INFINITY, cards: 300 });

export const { list } = whole;

/** Sale with its lines and its returns, the oldest first. */
export const SaleWithReturns = SaleWithLines.extend({ returns: z.array(SaleReturn) });

/** Reads one sale, with all its lines and its returns. */
export async function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  const place = { type: sales.type, tenant: actor.tenant, id };
  const [sale, returns] = await Promise.all([whole.get(actor, id, wanted), readReturns(place)]);
  return { ...sale, returns };
}
