import { requireTrading, type Staff } from '#lib/access/actor.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { bareParts } from '#lib/stock/part.ts';
import { notEnough, type Shelves } from '#lib/stock/shelves.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ifForSale, isSingle } from '#lib/trade/pricing/price.ts';
import { readCards } from '#lib/trade/sale/cart.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { causeOf, holdWrites, readOpenHold, refill } from './change.ts';
import { readHeldShelves, requireHoldable } from './goods.ts';
import type { HoldContents } from './input.ts';
import { checkAmounts, grow, lessen } from './lines.ts';
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
    const rises = risesOf(wanted, lines);
    if (rises.length > 0) requireTrading(actor, hold);
    const problems = problemsOf(wanted, lines);
    const [{ shelves, warehouse }] = await Promise.all([
      readHeldShelves(actor, hold, lines),
      checkCards(home, rises, problems),
    ]);
    const left = bringTo(wanted, lines, { shelves, cause: causeOf(hold, actor, at) }, problems);
    checkAmounts(left, wanted.products, problems);
    problems.throwIfAny();

    const after = refill(hold, left, { id: actor.id, at });
    const full = await show(home, after, left);
    await transact([...holdWrites(home, hold, after, left), ...shelves.writes(warehouse), ...remember(full)]);
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

/** A product of which more is to be held, and its place in the body. */
interface Rise {
  readonly product_id: number;
  readonly path: string;
}

function risesOf({ products }: HoldContents, lines: readonly HoldLine[]): Rise[] {
  const own = new Map(lines.filter(isSingle).map(({ product_id, quantity }) => [product_id, quantity]));
  return products.flatMap(({ product_id, quantity }, index) =>
    quantity > (own.get(product_id) ?? quantity) ? [{ product_id, path: `products.${index}` }] : [],
  );
}

/**
 * Checks that products of which more is to be held may be held by themselves: that they are neither deleted
 * nor sold only in bundles. What is wrong goes to `problems`. One round trip.
 */
async function checkCards(home: Home, rises: readonly Rise[], problems: Problems): Promise<void> {
  const cards = await readCards(
    home,
    rises.map(({ product_id }) => product_id),
  );
  const byId = new Map(cards.map((card) => [card.id, card]));
  for (const { product_id, path } of rises) {
    const card = ifForSale(byId.get(product_id));
    if (!card) problems.add(`${path}.product_id`, 'validation.not_found');
    else if (card.is_bundle_only) problems.add(`${path}.product_id`, 'sale.bundle_only');
  }
}

/** Gives the lines that stay. What goes back comes first, so that it may be taken again. */
function bringTo(
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
    return { line: wanted < line.quantity ? lessen(shelves, line, wanted, cause) : line, wanted };
  });
  return kept.flatMap(({ line, wanted }) => {
    if (wanted === 0) return [];
    const more = wanted - line.quantity;
    if (more <= 0) return [line];
    const place = `products.${places.get(line.product_id)?.index}`;
    const path = `${place}.quantity`;
    const wrong = problems.unless(place);
    requireHoldable(shelves, line.product_id, path, wrong);
    const parts = shelves.take(line.product_id, more, { ...cause, lineId: line.id });
    if (parts) return [grow(line, { quantity: more, batches: bareParts(parts) })];
    wrong.add(path, notEnough(line.quantity + shelves.free(line.product_id)));
    return [];
  });
}
