import type * as z from 'zod';
import type { Measured } from '#lib/catalog/accuracy.ts';
import { bundleSpans, bundles } from '#lib/catalog/bundle.ts';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { parseStored } from '#lib/records/stored.ts';
import { StockLevels, stockLevelKeys } from '#lib/stock/stock-levels.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Offers, ProductForSale } from '#lib/trade/pricing/price.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';

/** The counter of a cheque's lines. */
const SALE_LINE = 'sale-line';

/** What a body may ask of goods beside their own price. */
interface Bargain {
  readonly price?: MinorUnits | undefined;
  readonly discount?: MinorUnits | undefined;
}

/** Goods that a body names, and the warehouse they are in. */
export interface RequestedGoods {
  readonly stock_id: number;
  readonly products: readonly (Bargain & { readonly product_id: number })[];
  readonly bundles: readonly (Bargain & { readonly bundle_id: number })[];
  /** What a hold has of them; sold as it is if the body names no goods. */
  readonly setAside?: readonly { readonly product_id: number }[] | undefined;
  /** Set for a late sale: its bundles may be made of what they were. Part 4, 4.4, 3. */
  readonly isOffline?: boolean;
  /** The lines' counter; a cheque's if left out. */
  readonly lineType?: string;
}

/** Goods that a body names, as they were read, deleted ones too; what is not there is not in it. */
export interface Cart extends Pick<Offers, 'products' | 'bundles'> {
  readonly stockLevels: StockLevels;
  /** Its lines have this id and those after it. */
  readonly firstLineId: number;
}

/** Reads a cart in one round trip, two if it has bundles, and draws as many ids as it makes lines. */
export async function readCart(tenant: Tenant, named: RequestedGoods): Promise<Cart> {
  const { stock_id, setAside = [], isOffline = false, lineType = SALE_LINE } = named;
  const ids = named.products.map(({ product_id }) => product_id);
  const bundleIds = [...new Set(named.bundles.map(({ bundle_id }) => bundle_id))];
  const aside = [...new Set(setAside.map(({ product_id }) => product_id))].filter((id) => !ids.includes(id));
  // A product of which a hold has a part may make two lines.
  const max = ids.length + (setAside.length === 0 ? 0 : ids.length);
  // A hold that is sold whole names no goods, and some may be marked.
  const whole = ids.length + bundleIds.length === 0 ? aside : [];
  const [goods, held, asideRows, offers, firstId] = await Promise.all([
    readGoods(tenant, stock_id, ids),
    readCards(tenant, whole),
    getItems(stockLevelKeys(tenant, stock_id, aside)),
    getItems(bundleIds.map((id) => recordKey(bundles.type, tenant, id))),
    bundleIds.length === 0 ? nextId(lineType, tenant, max || setAside.length) : undefined,
  ]);
  const found = offers.flatMap((item) => (item ? [parseStored(bundles.schema, item)] : []));
  const byId = new Map(found.map((bundle) => [bundle.id, bundle]));
  const members = named.bundles.flatMap(({ bundle_id }) => membersOf(byId.get(bundle_id), isOffline));
  const further = [...new Set(members)].filter((id) => !ids.includes(id));
  const [bundled, firstLineId] = await Promise.all([
    readGoods(tenant, stock_id, further),
    firstId ?? nextId(lineType, tenant, max + members.length),
  ]);
  return {
    products: new Map([...goods.cards, ...held, ...bundled.cards].map((card) => [card.id, card])),
    bundles: byId,
    stockLevels: new StockLevels(tenant, [...goods.rows, ...asideRows, ...bundled.rows]),
    firstLineId,
  };
}

/** Lists the products that a bundle is made of, or has been. */
function membersOf(bundle: z.input<typeof bundles.schema> | undefined, isOffline: boolean): number[] {
  if (!bundle) return [];
  const made = isOffline ? bundleSpans(bundle).map(({ value }) => value) : [bundle];
  return [...new Set(made.flatMap(({ products: parts }) => parts.map(({ product_id }) => product_id)))];
}

/** Reads products' cards, and what the warehouse has of them. */
async function readGoods(tenant: Tenant, stockId: number, productIds: readonly number[]) {
  const [cards, rows] = await Promise.all([
    readCards(tenant, productIds),
    getItems(stockLevelKeys(tenant, stockId, productIds)),
  ]);
  return { cards, rows };
}

/** Reads the cards of products that are there, deleted ones too. One round trip. */
export async function readCards(tenant: Tenant, ids: readonly number[]): Promise<ProductForSale[]> {
  const cards = await getItems(ids.map((id) => recordKey(products.type, tenant, id)));
  return cards.flatMap((item) => (item ? [parseStored(ProductCard, item)] : []));
}

/** A product that a body asks for, by the name that its quantity has there. */
type Asked = { readonly product_id: number } & (
  | { readonly sold_quantity: Units; readonly quantity?: undefined }
  | { readonly quantity: Units; readonly sold_quantity?: undefined }
);

/**
 * Lists the quantities of products that a body takes by themselves off the shelves, before it does: all of
 * what is there, or of what a hold has, is a whole remainder.
 */
export function quantitiesTaken(
  asked: readonly Asked[],
  stockLevels: Pick<StockLevels, 'free'>,
  held: readonly { readonly product_id: number; readonly quantity: Units }[] = [],
): Measured[] {
  return asked.map(({ product_id, sold_quantity, quantity }, index) => {
    const path = `products.${index}.${sold_quantity === undefined ? 'quantity' : 'sold_quantity'}`;
    const ofHold = held.filter((line) => line.product_id === product_id).map((line) => line.quantity);
    const remainders = [stockLevels.free(product_id), ...ofHold];
    return { product_id, quantity: sold_quantity ?? quantity ?? 0, path, remainders };
  });
}
