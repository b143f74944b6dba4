import type { Key } from '#lib/table/keys.ts';

/*
 * Which items of the table are followed, as data: what follows changes must not know the domain, whose
 * schemas would make its bundle large and let a record stop it.
 *
 * A document's lines and a cheque's returns are not followed: they change only in the transaction that
 * changes the header, and whoever reads the record reads them too.
 */

/** Types of records in copies, by the first part of their headers’ keys. */
export const FOLLOWED: Readonly<Record<string, string>> = {
  company: 'company.company',
  user: 'user.user',
  product: 'product.product',
  category: 'product.category',
  brand: 'product.brand',
  unit: 'product.unit',
  option: 'product.option',
  specification: 'product.specification',
  service: 'product.service',
  'service-unit': 'product.service-unit',
  bundle: 'product.bundle',
  stock: 'stock.stock',
  'stock-product': 'stock.product',
  supplier: 'stock.supplier',
  'supplier-operation': 'stock.supplier.operation',
  client: 'client.client',
  'bonus-tariff': 'client.bonus-tariff',
  debt: 'client.debt',
  'debt-payment': 'client.debt-payment',
  cashbox: 'cashbox.cashbox',
  reason: 'cashbox.reason',
  collection: 'cashbox.operation.collection',
  posting: 'cashbox.transfer',
  sale: 'trade.sale',
  'sale-return': 'trade.sale.return',
  hold: 'trade.hold',
  purchase: 'trade.purchase',
  writeoff: 'trade.writeoff',
  'stock-transfer': 'trade.transfer',
  inventory: 'trade.inventory',
  repricing: 'trade.recalculation-batch',
  'cashbox-shift': 'trade.cashbox-shift',
};

/** Records with counters in an item of their own, which are sums of the record. */
export const COUNTED = ['cashbox', 'client', 'supplier'];

/** The first part of the key of a product in a warehouse: its goods, sums of what `STOCK_PRODUCT` lists. */
export const GOODS = { word: 'balance', type: 'stock.product' };

/** The first part of the key of a company's rates: one item, and a record for each currency. */
export const COMPANY_RATES = { word: 'company-rates', type: 'cashbox.currency-rate' };

/** An item that is changed for no other reason than to come through the stream. */
export const PULSE: Key = { pk: 'feed-watch', sk: 'pulse' };

/**
 * What the sort keys of followed items begin with: ids, and the words of single items. A document's lines
 * begin with another letter.
 */
export const SORT_KEY_PREFIXES = [...'0123456789', 'balance', PULSE.sk];

/** Lists what the partition keys of followed items begin with. */
export function keyPrefixes(): string[] {
  const words = [
    ...Object.keys(FOLLOWED),
    ...COUNTED.map((word) => `${word}-balance`),
    ...[GOODS, COMPANY_RATES].map(({ word }) => word),
  ];
  return [...words.map((word) => `${word}#family-`), PULSE.pk];
}
