import type { Key } from '#lib/table/keys.ts';

/*
 * The items of the feed, as data: the stream consumer must not import the domain, whose schemas would make
 * its bundle large and let one record stop it.
 *
 * A document's lines and a sale's returns are not in the feed: they change only in the transaction that
 * changes the header, and readers read them with the record.
 */

/**
 * Types of synced records. Part 4, 4.1. Cursors refer to a type by its position, so the order never changes.
 */
export const SYNC_TYPES = [
  'company.company',
  'user.user',
  'product.brand',
  'product.bundle',
  'product.category',
  'product.option',
  'product.product',
  'product.service',
  'product.service-unit',
  'product.specification',
  'product.unit',
  'stock.stock',
  'stock.product',
  'stock.supplier',
  'stock.supplier.operation',
  'client.client',
  'client.bonus-tariff',
  'client.debt',
  'client.debt-payment',
  'cashbox.cashbox',
  'cashbox.reason',
  'cashbox.currency-rate',
  'cashbox.operation.collection',
  'cashbox.transfer',
  'trade.sale',
  'trade.sale.return',
  'trade.hold',
  'trade.purchase',
  'trade.writeoff',
  'trade.transfer',
  'trade.inventory',
  'trade.recalculation-batch',
  'trade.cashbox-shift',
  'client.debt-writeoff',
] as const;

/** Words in the keys of headers that differ from the last word of their type. */
const KEY_WORDS: Partial<Readonly<Record<(typeof SYNC_TYPES)[number], string>>> = {
  'stock.product': 'stock-product',
  'stock.supplier.operation': 'supplier-operation',
  'cashbox.currency-rate': 'company-rates',
  'cashbox.transfer': 'posting',
  'trade.sale.return': 'sale-return',
  'trade.transfer': 'stock-transfer',
  'trade.recalculation-batch': 'repricing',
};

/** Sync types by the word in the keys of their headers. */
export const FEED_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  SYNC_TYPES.map((type) => [KEY_WORDS[type] ?? type.slice(type.lastIndexOf('.') + 1), type]),
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
  ];
  return [...words.map((word) => `${word}#family-`), HEARTBEAT.pk];
}
