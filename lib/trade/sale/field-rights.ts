/** Further rights for fields of a sale. Part 5, 5B.2, 2. */
export const SALE_RIGHTS = {
  'company.client.client.exceed-limit': 'exceed_limit',
  'company.trade.sale.creator': 'creator_id',
  'company.trade.sale.late': 'sold_at',
  'company.trade.sale.price-type': 'price_type_id',
} as const;

/** Further rights for fields of a sale in a batch. */
export const SALE_BATCH_RIGHTS = {
  'company.client.client.exceed-limit': 'sales',
  'company.trade.sale.creator': 'sales',
  'company.trade.sale.late': 'sales',
  'company.trade.sale.price-type': 'sales',
} as const;
