import type * as z from 'zod';
import type { Measured } from '#lib/catalog/accuracy.ts';
import { bundleSpans, bundles } from '#lib/catalog/bundle.ts';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { ServiceCard, services } from '#lib/catalog/service/service.ts';
import { parseStored } from '#lib/records/stored.ts';
import { StockLevels, stockLevelKeys } from '#lib/stock/stock-levels.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Offers, ProductForSale } from '#lib/trade/pricing/price.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';

/** Counter of sale lines. */
const SALE_LINE = 'sale-line';

/** Price and discount that a body may state. */
interface Bargain {
  readonly price?: MinorUnits | undefined;
  readonly discount?: MinorUnits | undefined;
}

/** Goods in a body, and their warehouse. */
export interface RequestedGoods {
  readonly stock_id: number;
  readonly products: readonly (Bargain & { readonly product_id: number })[];
  readonly bundles: readonly (Bargain & { readonly bundle_id: number })[];
  readonly services?: readonly { readonly service_id: number }[];
  /** Discount of the whole sale. */
  readonly discount?: unknown;
  /** Lines of a hold; sold as they are if the body lists no goods. */
  readonly setAside?: readonly { readonly product_id: number }[] | undefined;
  /** True for an offline sale: its bundles may have had other contents. Part 4, 4.4, 3. */
  readonly isOffline?: boolean;
  /** Counter of the lines; of sale lines by default. */
  readonly lineType?: string;
}

/** Goods of a body as read, including deleted ones; missing ones are omitted. */
export interface Cart extends Pick<Offers, 'products' | 'bundles'> {
  /** Services as stored: those that predate currencies have none. */
  readonly services: ReadonlyMap<number, ServiceCard>;
  readonly stockLevels: StockLevels;
  /** First id of its lines; the others follow. */
  readonly firstLineId: number;
}

/** Reads a cart in one round trip, two if it has bundles, and draws ids for all lines it may create. */
export async function readCart(tenant: Tenant, named: RequestedGoods): Promise<Cart> {
  const { stock_id, setAside = [], isOffline = false, lineType = SALE_LINE } = named;
  const ids = named.products.map(({ product_id }) => product_id);
  const bundleIds = [...new Set(named.bundles.map(({ bundle_id }) => bundle_id))];
  const aside = [...new Set(setAside.map(({ product_id }) => product_id))].filter((id) => !ids.includes(id));
  // A product partly on hold may create two lines.
  const max = ids.length + (setAside.length === 0 ? 0 : ids.length);
  const serviceIds = [...new Set(named.services?.map(({ service_id }) => service_id))];
  const servicesCount = named.services?.length ?? 0;
  // A hold sold whole lists no goods, and some may have tracking codes.
  const whole = ids.length + bundleIds.length === 0 ? aside : [];
  const [goods, held, asideRows, offers, sold, firstId] = await Promise.all([
    readGoods(tenant, stock_id, ids),
    readCards(tenant, whole),
    getItems(stockLevelKeys(tenant, stock_id, aside)),
    getItems(bundleIds.map((id) => recordKey(bundles.type, tenant, id))),
    getItems(serviceIds.map((id) => recordKey(services.type, tenant, id))),
    bundleIds.length === 0 ? nextId(lineType, tenant, (max || setAside.length) + servicesCount) : undefined,
  ]);
  const found = offers.flatMap((item) => (item ? [parseStored(bundles.schema, item)] : []));
  const byId = new Map(found.map((bundle) => [bundle.id, bundle]));
  const members = named.bundles.flatMap(({ bundle_id }) => membersOf(byId.get(bundle_id), isOffline));
  const further = [...new Set(members)].filter((id) => !ids.includes(id));
  const [bundled, firstLineId] = await Promise.all([
    readGoods(tenant, stock_id, further),
    firstId ?? nextId(lineType, tenant, max + members.length + servicesCount),
  ]);
  return {
    products: new Map([...goods.cards, ...held, ...bundled.cards].map((card) => [card.id, card])),
    bundles: byId,
    services: new Map(
      sold.flatMap((item) => (item ? [parseStored(ServiceCard, item)] : [])).map((card) => [card.id, card]),
    ),
    stockLevels: new StockLevels(tenant, [...goods.rows, ...asideRows, ...bundled.rows]),
    firstLineId,
  };
}

/** Lists the products that a bundle contains, or has contained. */
function membersOf(bundle: z.input<typeof bundles.schema> | undefined, isOffline: boolean): number[] {
  if (!bundle) return [];
  const made = isOffline ? bundleSpans(bundle).map(({ value }) => value) : [bundle];
  return [...new Set(made.flatMap(({ products: parts }) => parts.map(({ product_id }) => product_id)))];
}

/** Reads products' cards and stock levels. */
async function readGoods(tenant: Tenant, stockId: number, productIds: readonly number[]) {
  const [cards, rows] = await Promise.all([
    readCards(tenant, productIds),
    getItems(stockLevelKeys(tenant, stockId, productIds)),
  ]);
  return { cards, rows };
}

/** Reads the cards of existing products, including deleted ones. One round trip. */
export async function readCards(tenant: Tenant, ids: readonly number[]): Promise<ProductForSale[]> {
  const cards = await getItems(ids.map((id) => recordKey(products.type, tenant, id)));
  return cards.flatMap((item) => (item ? [parseStored(ProductCard, item)] : []));
}

/** Product in a body, with either name of its quantity. */
type RequestedQuantity = { readonly product_id: number } & (
  | { readonly sold_quantity: Units; readonly quantity?: undefined }
  | { readonly quantity: Units; readonly sold_quantity?: undefined }
);

/**
 * Lists the quantities of single products that a body takes, before it does: taking everything free, or
 * everything on hold, is always allowed.
 */
export function quantitiesTaken(
  requested: readonly RequestedQuantity[],
  stockLevels: Pick<StockLevels, 'free'>,
  held: readonly { readonly product_id: number; readonly quantity: Units }[] = [],
): Measured[] {
  return requested.map(({ product_id, sold_quantity, quantity }, index) => {
    const path = `products.${index}.${sold_quantity === undefined ? 'quantity' : 'sold_quantity'}`;
    const ofHold = held.filter((line) => line.product_id === product_id).map((line) => line.quantity);
    const remainders = [stockLevels.free(product_id), ...ofHold];
    return { product_id, quantity: sold_quantity ?? quantity ?? 0, path, remainders };
  });
}
