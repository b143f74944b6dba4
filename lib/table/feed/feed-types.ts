import type { Key } from '#lib/table/keys.ts';

/*
 * Which items of the table are followed, as data: what follows changes must not know the domain, whose
 * schemas would make its bundle large and let a record stop it.
 *
 * A document's lines and a cheque's returns are not followed: they change only in the transaction that
 * changes the header, and whoever reads the record reads them too.
 */

/** Types of records in a family's copies. Part 4, 4.1. Each keeps its place, by which cursors name it. */
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
] as const;

/** First parts of headers’ keys that are not the last word of their type. */
const KEY_WORDS: Partial<Readonly<Record<(typeof SYNC_TYPES)[number], string>>> = {
  'stock.product': 'stock-product',
  'stock.supplier.operation': 'supplier-operation',
  'cashbox.currency-rate': 'company-rates',
  'cashbox.transfer': 'posting',
  'trade.sale.return': 'sale-return',
  'trade.transfer': 'stock-transfer',
  'trade.recalculation-batch': 'repricing',
};

/** Types of records in copies, by the first part of their headers’ keys. */
export const FEED_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  SYNC_TYPES.map((type) => [KEY_WORDS[type] ?? type.slice(type.lastIndexOf('.') + 1), type]),
);

/** Records with counters in an item of their own, which are sums of the record. */
export const TYPES_WITH_COUNTERS = ['cashbox', 'client', 'supplier'];

/**
 * The first part of the key of a product in a warehouse: its goods, sums of what `STOCK_LEVEL_ROW` lists; and
 * what it notes that nobody is shown.
 */
export const STOCK_LEVEL = { word: 'balance', type: 'stock.product', notes: 'counts' };

/** The first part of the key of a company's rates: one item, and a record for each currency. */
export const COMPANY_RATES = { word: 'company-rates', type: 'cashbox.currency-rate' };

/** An item that is changed for no other reason than to come through the stream. */
export const HEARTBEAT: Key = { pk: 'feed-watch', sk: 'pulse' };

/**
 * What the sort keys of followed items begin with: ids, and the words of single items. A document's lines
 * begin with another letter.
 */
export const SORT_KEY_PREFIXES = [...'0123456789', 'balance', HEARTBEAT.sk];

/** Lists what the partition keys of followed items begin with. */
export function keyPrefixes(): string[] {
  const words = [
    ...Object.keys(FEED_TYPES),
    ...TYPES_WITH_COUNTERS.map((word) => `${word}-balance`),
    STOCK_LEVEL.word,
  ];
  return [...words.map((word) => `${word}#family-`), HEARTBEAT.pk];
}
