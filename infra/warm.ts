/**
 * The operations of a till's first minute of a morning, in their order. `-c WARM=1` keeps one function of
 * each warm; docs/operate.md tells what that costs.
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

/** Tells whether an operation, as `POST /company/trade/sale`, is one that a till meets first. */
export function isFirstMinute(operation: string): boolean {
  return FIRST_MINUTE.includes(operation);
}
