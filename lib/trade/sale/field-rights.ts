/** Further rights that fields of a sale ask for, sent alone or in a batch. Part 5, 5B.2, 2. */
export const SALE_FIELD_RIGHTS = [
  'company.client.client.exceed-limit',
  'company.trade.sale.creator',
  'company.trade.sale.late',
  'company.trade.sale.price-type',
] as const;
