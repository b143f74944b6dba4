import type { Home } from '#lib/table/keys.ts';
import { documentsWithLines, withProducts } from '#lib/trade/document/show.ts';
import { type Hold, HoldLine, holds } from './record.ts';

/** A hold with its lines, the first hundred of them with their products. */
export type FullHold = Hold & { readonly products: HoldLine[] };

/** List the holds of warehouses open to the caller, and get one with its lines. */
export const { list, get } = documentsWithLines({ ...holds, line: HoldLine });

/** Shows a hold as it will be. One round trip. */
export async function show(home: Home, hold: Hold, lines: readonly HoldLine[]): Promise<FullHold> {
  return { ...hold, products: await withProducts(HoldLine, home, lines) };
}
