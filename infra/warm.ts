/**
 * Operations of a till's first minute in the morning, in order. `-c WARM=1` keeps one instance of each warm;
 * docs/operate.md has the cost.
 */
export const FIRST_MINUTE: readonly string[] = [
  'POST /common/auth/pos-login',
  'GET /common/user/profile',
  'GET /company/cashbox/currency-rate/settings',
  'GET /company/trade/cashbox-shift/current',
  'POST /company/trade/cashbox-shift',
  'GET /company/product/product',
  'GET /company/stock/product',
  'GET /company/client/client',
  'PUT /company/trade/cashbox/{cashbox}/cheque/{number}',
  'POST /company/trade/sale',
];

/** Returns whether an operation, as `POST /company/trade/sale`, is one that a till calls first. */
export function isFirstMinute(operation: string): boolean {
  return FIRST_MINUTE.includes(operation);
}
