import type { Staff } from '#lib/access/actor.ts';
import { bareParts } from '#lib/stock/batch.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { freeOf, notEnough, type Shelves, shelfWrites, takeFrom } from '#lib/stock/shelves.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { causeOf, holdWrites, readOpenHold, refilled } from './change.ts';
import { readHeldShelves, requireHoldable } from './goods.ts';
import type { HoldContents } from './input.ts';
import { checkAmounts, grown, isSingle, lessened } from './lines.ts';
import { type FullHold, show } from './read.ts';
import type { HoldLine } from './record.ts';

/**
 * Brings a hold to the contents that are sent: more of a product is taken, less and what is left out comes
 * back into its batches. 400 for a hold that is closed or canceled, 422 with all failing fields. Part 2,
 * "Holds".
 */
export async function updateProducts(
  actor: Staff,
  { id, ...wanted }: HoldContents & { readonly id: number },
  at: Instant,
  remember: (hold: FullHold) => Write[],
): Promise<FullHold> {
  const { home } = actor;
  return retryOnContention(async () => {
    const { hold, lines } = await readOpenHold(actor, id);
    const problems = problemsOf(wanted, lines);
    const { shelves, warehouse } = await readHeldShelves(actor, hold, lines);
    const left = broughtTo(wanted, lines, { shelves, cause: causeOf(hold, actor, at) }, problems);
    checkAmounts(left, wanted.products, problems);
    problems.throwIfAny();

    const after = refilled(hold, left, { id: actor.id, at });
    const full = await show(home, after, left);
    await transact([
      ...holdWrites(home, hold, after, left),
      ...shelfWrites(shelves, warehouse),
      ...remember(full),
    ]);
    return full;
  });
}

/** Finds what the contents name and the hold has not. */
function problemsOf({ products, bundle_keys }: HoldContents, lines: readonly HoldLine[]): Problems {
  const problems = new Problems();
  const own = new Set(lines.filter(isSingle).map(({ product_id }) => product_id));
  const keys = new Set(lines.map(({ bundle_key }) => bundle_key));
  if (products.length + bundle_keys.length === 0) problems.add('products', 'hold.empty');
  for (const [index, { product_id }] of products.entries()) {
    if (!own.has(product_id)) problems.add(`products.${index}.product_id`, 'hold.not_in_it');
  }
  for (const [index, key] of bundle_keys.entries()) {
    if (!keys.has(key)) problems.add(`bundle_keys.${index}`, 'hold.not_in_it');
  }
  return problems;
}

/** Gives the lines that stay. What goes back comes first, so that it may be taken again. */
function broughtTo(
  { products, bundle_keys }: HoldContents,
  lines: readonly HoldLine[],
  { shelves, cause }: { readonly shelves: Shelves; readonly cause: Omit<Cause, 'lineId'> },
  problems: Problems,
): HoldLine[] {
  const places = new Map(
    products.map(({ product_id, quantity }, index) => [product_id, { quantity, index }]),
  );
  const keys = new Set(bundle_keys);
  const quantityOf = ({ product_id, bundle_key, quantity }: HoldLine) => {
    if (bundle_key !== null) return keys.has(bundle_key) ? quantity : 0;
    return places.get(product_id)?.quantity ?? 0;
  };
  const kept = lines.map((line) => {
    const wanted = quantityOf(line);
    return { line: wanted < line.quantity ? lessened(shelves, line, wanted, cause) : line, wanted };
  });
  return kept.flatMap(({ line, wanted }) => {
    if (wanted === 0) return [];
    const more = wanted - line.quantity;
    if (more <= 0) return [line];
    const path = `products.${places.get(line.product_id)?.index}.quantity`;
    requireHoldable(shelves, line.product_id, path, problems);
    const parts = takeFrom(shelves, line.product_id, more, { ...cause, lineId: line.id });
    if (parts) return [grown(line, { quantity: more, batches: bareParts(parts) })];
    problems.add(path, notEnough(line.quantity + freeOf(shelves, line.product_id)));
    return [];
  });
}
