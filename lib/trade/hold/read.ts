import type { Staff } from '#lib/access/actor.ts';
import { listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { Home } from '#lib/table/keys.ts';
import { getWithLines, withProducts } from '#lib/trade/product-lines.ts';
import { type Hold, HoldLine, holds } from './record.ts';

/** A hold with its lines, the first hundred of them with their products. */
export type FullHold = Hold & { readonly products: HoldLine[] };

/** Lists the holds of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(holds, actor, query);
}

/** Reads one hold with its lines, and with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]): Promise<FullHold> {
  return getWithLines({ type: holds, line: HoldLine }, actor, id, wanted);
}

/** Shows a hold as it will be. One round trip. */
export async function show(home: Home, hold: Hold, lines: readonly HoldLine[]): Promise<FullHold> {
  return { ...hold, products: await withProducts(HoldLine, home, lines) };
}
