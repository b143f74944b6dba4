/** Further rights for fields of a sale. Part 5, 5B.2, 2. */
export const SALE_RIGHTS = {
  'company.client.client.exceed-limit': 'exceed_limit',
  'company.trade.sale.creator': 'creator_id',
  'company.trade.sale.late': 'sold_at',
  'company.trade.sale.price-type': 'price_type_id',
} as const;

/** The same rights for a batch, which has its sales in one field. */
export const SALE_BATCH_RIGHTS = Object.fromEntries(
  Object.keys(SALE_RIGHTS).map((right) => [right, 'sales']),
);
