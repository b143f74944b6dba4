import type { Key } from '#lib/table/keys.ts';

/*
 * The items of the feed, as data: the stream consumer must not import the domain, whose schemas would make
 * its bundle large and let one record stop it.
 *
 * A document's lines and a sale's returns are not in the feed: they change only in the transaction that
 * changes the header, and readers read them with the record.
 */

/** A type of synced records. */
interface FeedType {
  readonly type: string;
  /** The word in the keys of its headers, if it is not the last one of the type. */
  readonly word?: string;
  /**
   * Who sees in the activity that a record changed: the whole family, or those who reach the record's
   * company, desk or warehouse. `lib/platform/activity/reach.ts` has the special ones.
   */
  readonly reach: 'family' | 'company' | 'desk' | 'warehouse' | 'special';
}

/**
 * Types of synced records. Part 4, 4.1. Cursors refer to a type by its position, so the order never changes.
 */
export const SYNC_TYPES = [
  { type: 'company.company', reach: 'special' },
  { type: 'user.user', reach: 'company' },
  { type: 'product.brand', reach: 'family' },
  { type: 'product.bundle', reach: 'family' },
  { type: 'product.category', reach: 'family' },
  { type: 'product.option', reach: 'family' },
  { type: 'product.product', reach: 'family' },
  { type: 'product.service', reach: 'family' },
  { type: 'product.service-unit', reach: 'family' },
  { type: 'product.specification', reach: 'family' },
  { type: 'product.unit', reach: 'family' },
  { type: 'stock.stock', reach: 'special' },
  { type: 'stock.product', word: 'stock-product', reach: 'special' },
  { type: 'stock.supplier', reach: 'family' },
  { type: 'stock.supplier.operation', word: 'supplier-operation', reach: 'special' },
  { type: 'client.client', reach: 'family' },
  { type: 'client.bonus-tariff', reach: 'family' },
  { type: 'client.debt', reach: 'company' },
  { type: 'client.debt-payment', reach: 'company' },
  { type: 'cashbox.cashbox', reach: 'special' },
  { type: 'cashbox.reason', reach: 'family' },
  { type: 'cashbox.currency-rate', word: 'company-rates', reach: 'company' },
  { type: 'cashbox.operation.collection', reach: 'special' },
  { type: 'cashbox.transfer', word: 'posting', reach: 'desk' },
  { type: 'trade.sale', reach: 'desk' },
  { type: 'trade.sale.return', word: 'sale-return', reach: 'desk' },
  { type: 'trade.hold', reach: 'warehouse' },
  { type: 'trade.purchase', reach: 'warehouse' },
  { type: 'trade.writeoff', reach: 'warehouse' },
  { type: 'trade.transfer', word: 'stock-transfer', reach: 'special' },
  { type: 'trade.inventory', reach: 'warehouse' },
  { type: 'trade.recalculation-batch', word: 'repricing', reach: 'company' },
  { type: 'trade.cashbox-shift', reach: 'desk' },
  { type: 'client.debt-writeoff', reach: 'company' },
  { type: 'trade.cost-correction', reach: 'warehouse' },
  { type: 'client.deposit', reach: 'company' },
  { type: 'product.price-type', reach: 'family' },
  { type: 'trade.sale.tender', word: 'sale-tender', reach: 'desk' },
] as const satisfies readonly FeedType[];

/** Sync types by the word in the keys of their headers. */
export const FEED_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  SYNC_TYPES.map(({ type, ...each }) => [
    'word' in each ? each.word : type.slice(type.lastIndexOf('.') + 1),
    type,
  ]),
);

/** Types with counters in an item of their own, which belong to the record. */
export const TYPES_WITH_COUNTERS = ['cashbox', 'client', 'supplier'];

/**
 * The word in the key of a stock level, whose counters `STOCK_LEVEL_ROW` lists, and its internal attribute of
 * stocktake notes.
 */
export const STOCK_LEVEL = { word: 'balance', type: 'stock.product', notes: 'counts' };

/** The word in the key of a company's rates: one item, with a record for each currency. */
export const COMPANY_RATES = { word: 'company-rates', type: 'cashbox.currency-rate' };

/** The word in the keys of the items that count the refused sales of a desk. */
export const WAITING_SALES = 'refused-sales-waiting';

/** An item that is written only to produce a stream record. */
export const HEARTBEAT: Key = { pk: 'feed-watch', sk: 'pulse' };

/**
 * Prefixes of the sort keys of items in the feed: ids, and the names of single items. A document's lines
 * begin with another letter.
 */
export const SORT_KEY_PREFIXES = [...'0123456789', 'balance', HEARTBEAT.sk];

/** Returns the prefixes of the partition keys of items in the feed. */
export function keyPrefixes(): string[] {
  const words = [
    ...Object.keys(FEED_TYPES),
    ...TYPES_WITH_COUNTERS.map((word) => `${word}-balance`),
    STOCK_LEVEL.word,
    WAITING_SALES,
  ];
  return [...words.map((word) => `${word}#family-`), HEARTBEAT.pk];
}
