import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { barcodeClaim, Pack } from '#lib/catalog/barcodes.ts';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { Unit, units } from '#lib/catalog/unit/unit.ts';
import * as clients from '#lib/clients/client.ts';
import { parseStored } from '#lib/records/stored.ts';
import { StockLevels, stockLevelKeys } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Item } from '#lib/table/client.ts';
import { type Key, keyIfAny, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getEventualItems, getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import type { ProductForSale } from '#lib/trade/pricing/price.ts';
import {
  isPriceTypeKnown,
  presentPriceType,
  priceTypesFor,
  readTypesFor,
} from '#lib/trade/pricing/price-type.ts';
import { trackingCodeKey } from '#lib/trade/tracking-codes/claims.ts';
import { gtinOf, TrackingCode } from '#lib/trade/tracking-codes/tracking-code.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { soughtCode } from '#lib/values/code.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { decideScan, type ScanCandidate } from './decide-scan.ts';
import { labelOf, type ScaleLabel, spellingsOfPlu } from './label.ts';

/** Query string of a scan. */
export const ScanQuery = z.strictObject({
  code: z
    .string()
    .max(255)
    .refine((code) => soughtCode(code) !== '', { error: 'validation.required' }),
  stock_id: Id.optional(),
  client_id: Id.optional(),
  price_type_id: Id.optional(),
});

/** Result of a scan; fields that do not apply are null. Part 5, 5A.12, 3. */
export const Scan = z.object({
  kind: enumeration('scan.kind', ['barcode', 'pack', 'weight', 'price', 'count', 'mark', 'plu']),
  product: ProductCard,
  pack: Pack.nullable(),
  quantity: Quantity.nullable(),
  price: Money.nullable(),
  amount: Money.nullable(),
  currency: Currency,
  label_amount: Money.nullable(),
  free_quantity: Quantity.nullable(),
  mark: z.string().nullable(),
  is_mark_out: z.boolean().nullable(),
});

type ScanQuery = z.output<typeof ScanQuery>;

/** Owner of a code, by the kind of the code. */
type Owner = Pick<ScanCandidate, 'by'> & { readonly id: number };

/**
 * Finds the product of a scanned code, with quantity and price as a sale would have them now. Two round
 * trips, and ten units: claims of the code and places; then card, stock level and tracking code. 404 if
 * nothing fits, 422 on a warehouse or client that is unknown or not open to the caller.
 */
export async function scan(actor: Staff, query: ScanQuery): Promise<z.input<typeof Scan>> {
  const { tenant } = actor;
  const code = soughtCode(query.code);
  const mark = TrackingCode.safeParse(query.code).data;
  const label = labelOf(code, actor.scaleSettings ?? []);
  // A label has many spellings to look up.
  const read = label ? getEventualItems : getItems;
  const [owners, places] = await Promise.all([
    readOwners(tenant, { code, gtin: mark && gtinOf(mark), label, read }),
    readPlaces(actor, query, read),
  ]);
  const ids = [...new Set(owners.map(({ id }) => id))];
  const isOwnCompany = places.companyId === actor.companyId;
  const [cards, levels, [ratesItem, claim], unitItems] = await Promise.all([
    getItems(ids.map((id) => recordKey(products.type, tenant, id))),
    readLevels(tenant, query.stock_id, ids),
    getItems([
      isOwnCompany ? undefined : keyOfRates(tenant, places.companyId),
      mark !== undefined && owners.some(({ by }) => by === 'mark')
        ? trackingCodeKey(tenant, mark)
        : undefined,
    ]),
    label?.kind === 'price' && owners.some(({ by }) => by === 'label') ? readUnits(tenant) : [],
  ]);
  const { saleCurrency, rates } = ratesFrom(isOwnCompany ? places.rates : ratesItem);
  const accuracies = new Map(unitItems.map((item) => parseStored(Unit, item)).map((unit) => [unit.id, unit]));
  const byId = new Map(cards.flatMap((item) => (item ? [cardOf(item)] : [])).map((card) => [card.id, card]));
  const scanned = decideScan({
    code,
    candidates: owners.flatMap(({ by, id }) => {
      const product = byId.get(id);
      return product ? [{ by, product }] : [];
    }),
    label,
    pricing: { currency: saleCurrency, rates, canDiscount: false, priceType: places.priceType },
    accuracyOf: ({ unit_id }) => accuracies.get(unit_id)?.accuracy ?? 0,
  });
  if (!scanned) throw unknownCode();
  const isMark = scanned.kind === 'mark' && scanned.product.is_marked === true;
  return {
    ...scanned,
    currency: saleCurrency,
    free_quantity: levels?.free(scanned.product.id) ?? null,
    mark: isMark && mark !== undefined ? mark : null,
    is_mark_out: isMark ? claim !== undefined : null,
  };
}

function cardOf(item: Item): ProductForSale {
  return parseStored(ProductCard, item);
}

/** Code to look up, in each of its readings. */
interface Sought {
  readonly code: string;
  /** Number of the product in a tracking code. */
  readonly gtin: string | undefined;
  readonly label: ScaleLabel | undefined;
  readonly read: typeof getItems;
}

/** Reads the owners of a code, in the order in which they fit. One round trip. */
async function readOwners(tenant: Tenant, { code, gtin, label, read }: Sought): Promise<Owner[]> {
  const keyOfPlu = (text: string): Key =>
    uniqueConstraintKey(products.type, { path: 'plu', scope: tenant, text });
  const keyOfBarcode = (text: string) => uniqueConstraintKey(products.type, barcodeClaim(text, tenant));
  const plus = label ? spellingsOfPlu(label.code) : [];
  const [named, ofPlus] = await Promise.all([
    read([keyOfBarcode(code), keyIfAny(gtin, keyOfBarcode)]),
    read([...plus, code].map(keyOfPlu)),
  ]);
  const [ofBarcode, ofMark] = named.map(ownerIn);
  const found: readonly (readonly [ScanCandidate['by'], number | undefined])[] = [
    ['barcode', ofBarcode],
    ...ofPlus.slice(0, -1).map((item) => ['label', ownerIn(item)] as const),
    ['mark', ofMark],
    ['plu', ownerIn(ofPlus.at(-1))],
  ];
  return found.flatMap(([by, id]) => (id === undefined ? [] : [{ by, id }]));
}

/**
 * Reads warehouse, client, price type and own rates. 422 if one is unknown or not open to the caller. One
 * round trip.
 */
async function readPlaces(actor: Staff, query: ScanQuery, read: typeof getItems) {
  const { stock_id, client_id, price_type_id } = query;
  const [[stock, clientItem, rates], types] = await Promise.all([
    read([
      keyIfAny(stock_id, (id) => warehouses.keyOf(actor, id)),
      keyIfAny(client_id, (id) => clients.keyOf(actor, id)),
      keyOfRates(actor.tenant, actor.companyId),
    ]),
    readTypesFor(actor.tenant, query),
  ]);
  const client = clients.ifVisible(actor, clientItem);
  const typed = priceTypesFor(price_type_id, client, types);
  const warehouse = warehouses.ifVisible(actor, stock);
  const issues = new ValidationIssues();
  if (stock_id !== undefined && !warehouse) issues.add('stock_id', 'validation.not_found');
  if (client_id !== undefined && !client) issues.add('client_id', 'validation.not_found');
  if (!isPriceTypeKnown(typed)) issues.add('price_type_id', 'validation.not_found');
  issues.throwIfAny();
  const companyId = warehouse?.company_id ?? actor.companyId;
  return { companyId, rates, priceType: presentPriceType(typed) };
}

async function readLevels(tenant: Tenant, stockId: number | undefined, productIds: readonly number[]) {
  if (stockId === undefined) return undefined;
  return new StockLevels(tenant, await getItems(stockLevelKeys(tenant, stockId, productIds)));
}

/** Reads all units: that of a label's product is known only with its card. */
function readUnits(tenant: Tenant) {
  return wholePartition(partition(units.type, tenant));
}

function unknownCode(): ApiError {
  return new ApiError(404, { key: 'scan.unknown' });
}
