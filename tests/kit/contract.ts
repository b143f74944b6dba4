/** An operation of the contract. */
export interface Promised {
  readonly request: string;
  /**
   * Its part of the contract, or the decisions; for an operation that comes later, the part that it comes
   * with.
   */
  readonly part: 1 | 2 | 3 | 'decisions';
  /** True if nothing serves it yet. */
  readonly isLater: boolean;
}

/** Every operation that the contract names. Whoever builds one moves its line from `later` to `promised`. */
export const CONTRACT: readonly Promised[] = [
  ...promised(1, [
    'POST /common/auth/login',
    'POST /common/auth/pos-login',
    'POST /common/auth/pos-ping',
    'POST /common/auth/logout',
    'POST /external/credit/trade-sale/create',
    ...six('/admin/user/user'),
    'PATCH /admin/user/user/{model}/auth-as',
    'GET PUT /common/user/profile',
    'PATCH /common/user/notification/see-all',
    'GET /common/user/notification',
    'GET /common/user/notification/{model}',
    'POST /admin/user/notification',
    'GET /common/public/records/{type}',
    ...['product_brand', 'product_category', 'product_option', 'product_specification'].map(
      (type) => `POST /common/public/create-record/${type}`,
    ),
    'POST /common/public/upload-image',
    'GET /common/public/file/content',
    ...six('/company/product/brand'),
    'GET /company/product/brand/download-example',
    'POST /company/product/brand/import',
    ...six('/company/product/specification'),
    ...six('/admin/product/unit'),
    ...six('/company/product/service-unit'),
    ...six('/admin/system/version'),
    ...six('/admin/region/mfy'),
    'GET /admin/system/language',
    'GET PUT /admin/system/language/{model}',
  ]),
  ...promised(2, [
    'GET POST /company/trade/hold',
    'GET /company/trade/hold/{model}',
    'PATCH /company/trade/hold/{model}/add-products',
    'PATCH /company/trade/hold/{model}/update-products',
    'PATCH /company/trade/hold/{model}/cancel',
    'GET /company/trade/inventory/stats',
    'GET /company/trade/inventory/categories',
    'PATCH /company/trade/inventory/{model}/add-products',
    'PATCH /company/trade/inventory/{model}/remove-products',
    'GET /company/trade/inventory/{model}/comparison-sheet',
    'PATCH /company/trade/inventory/{model}/complete',
    'PATCH /company/trade/inventory/{model}/cancel',
    'GET POST /company/trade/inventory',
    'GET /company/trade/inventory/{model}',
    'GET POST /company/trade/writeoff',
    'GET PUT /company/trade/writeoff/{model}',
    'PATCH /company/trade/writeoff/{model}/complete',
    'PATCH /company/trade/writeoff/{model}/cancel',
    'GET /company/trade/sale/{model}/credit-detail',
    'GET /company/trade/sale/{model}/print',
    'GET /company/trade/sale/{model}/invoice',
    'GET /company/trade/sale/{model}/check-detail',
    'GET POST /company/trade/sale',
    'PATCH /company/trade/sale/{model}/return',
    'POST /company/trade/sale/{model}/exchange',
    'GET /company/trade/sale/{model}',
    'GET POST /company/trade/recalculation-batch',
    'GET /company/trade/recalculation-batch/{model}',
  ]),
  ...promised(3, [
    'GET /company/trade/cashbox-shift/current',
    'GET POST /company/trade/cashbox-shift/expense-reasons',
    'POST /company/trade/cashbox-shift/{model}/expense',
    'PATCH /company/trade/cashbox-shift/{model}/close',
    'GET POST /company/trade/cashbox-shift',
    'GET /company/trade/cashbox-shift/{model}',
    'POST /company/client/debt-payment/{model}/refund',
    'GET POST /company/client/debt-payment',
    'GET /company/client/debt-payment/{model}',
    'GET /company/tariff',
    'POST /company/tariff/pay-card',
    'POST /company/tariff/pay-card/confirm',
    'POST /company/tariff/pay-qr',
    'GET /company/tariff/payment-status/{externalId}',
    'GET /company/cashbox/currency-rate/show-main',
    'PATCH /company/cashbox/currency-rate/sync-with-main',
    'GET PATCH /company/cashbox/currency-rate/settings',
    'GET /company/cashbox/currency-rate',
    'GET PUT /company/cashbox/currency-rate/{model}',
    'GET /company/cashbox/operation/cashboxes',
    'GET /company/cashbox/operation/stats',
    'GET /company/cashbox/operation/reasons',
    'POST /company/cashbox/operation/collection',
    'PATCH /company/cashbox/operation/{model}/return',
    'PATCH /company/cashbox/operation/{model}/cancel',
    'GET POST /company/cashbox/operation',
  ]),
  ...promised('decisions', [
    'GET PUT /admin/billing/tariff/{company}',
    'POST /external/billing/payment-notification',
    'POST /admin/billing/tariff/{company}/deposit',
    ...six('/admin/company/company'),
    ...six('/admin/company/user'),
    ...six('/admin/user/role'),
    ...six('/company/user/user'),
    ...six('/company/user/role'),
    ...six('/admin/partner/partner'),
    ...six('/admin/partner/user'),
    'GET /partner/company',
    ...six('/admin/region/region'),
    ...six('/admin/region/district'),
    ...six('/admin/product/service-unit'),
    'GET POST /admin/system/external-key',
    'DELETE /admin/system/external-key/{model}',
    ...six('/company/product/category'),
    ...six('/company/product/unit'),
    ...six('/company/product/option'),
    ...six('/company/product/product'),
    'POST /company/product/product/import',
    'GET /company/product/product/download-example',
    ...six('/company/product/bundle'),
    ...six('/company/product/service'),
    ...six('/company/stock/stock'),
    'GET /company/stock/product',
    'GET /company/stock/product/{model}/movements',
    ...six('/company/stock/supplier'),
    'POST /company/stock/supplier/{model}/payment',
    'GET /company/stock/supplier/{model}/operations',
    'GET POST /company/trade/purchase',
    'GET PUT /company/trade/purchase/{model}',
    'PATCH /company/trade/purchase/{model}/complete',
    'PATCH /company/trade/purchase/{model}/cancel',
    'GET POST /company/trade/transfer',
    'GET /company/trade/transfer/{model}',
    'PATCH /company/trade/transfer/{model}/complete',
    'PATCH /company/trade/transfer/{model}/cancel',
    ...six('/company/client/client'),
    ...six('/company/client/bonus-tariff'),
    'GET /company/trade/inventory/{model}/products',
    'GET /company/client/debt',
    'GET /company/client/debt/{model}',
    ...six('/company/cashbox/cashbox'),
    'GET /company/cashbox/cashbox/{model}/transfers',
    'GET /company/cashbox/operation/collection',
    'PATCH /company/cashbox/operation/collection/{model}/confirm',
    'POST /company/cashbox/operation/conversion',
    'POST /company/cashbox/operation/transfer',
    ...six('/company/cashbox/reason'),
    'GET PUT DELETE /company/trade/cashbox/{cashbox}/cheque/{number}',
    'GET PUT /company/company/settings',
  ]),
  ...later(3, []),
];

/** Lists the six operations of a record: list, get, create, edit, delete, restore. */
export function six(path: string): string[] {
  return [`GET POST ${path}`, `GET PUT DELETE ${path}/{model}`, `DELETE ${path}/{value}/restore`];
}

/** Splits `GET POST /path` into a request for each method. */
export function requestsOf(line: string): string[] {
  const words = line.split(' ');
  return words.slice(0, -1).map((method) => `${method} ${words.at(-1)}`);
}

function promised(part: Promised['part'], lines: readonly string[]): Promised[] {
  return lines.flatMap(requestsOf).map((request) => ({ request, part, isLater: false }));
}

function later(part: 2 | 3, lines: readonly string[]): Promised[] {
  return lines.flatMap(requestsOf).map((request) => ({ request, part, isLater: true }));
}
