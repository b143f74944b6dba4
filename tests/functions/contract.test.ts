import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { CONTRACT, requestsOf, six } from '#tests/kit/contract.ts';

/** What the contract names and nothing serves yet. Who builds one takes it off. */
const MISSING = [
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
  'PATCH /company/trade/sale/{model}/return',
  'POST /company/trade/sale/{model}/exchange',
  'GET /company/trade/sale/{model}/print',
  'GET /company/trade/sale/{model}/invoice',
  'GET /company/trade/sale/{model}/check-detail',
  'GET POST /company/trade/recalculation-batch',
  'GET /company/trade/recalculation-batch/{model}',
  'GET /company/cashbox/operation/cashboxes',
  'GET /company/cashbox/operation/stats',
  'GET /company/cashbox/operation/reasons',
  'GET POST /company/cashbox/operation/collection',
  'PATCH /company/cashbox/operation/collection/{model}/confirm',
  'PATCH /company/cashbox/operation/{model}/return',
  'PATCH /company/cashbox/operation/{model}/cancel',
  'GET POST /company/cashbox/operation',
  'GET /company/trade/cashbox-shift/current',
  'GET POST /company/trade/cashbox-shift/expense-reasons',
  'PATCH /company/trade/cashbox-shift/{model}/close',
  'POST /company/trade/cashbox-shift/{model}/expense',
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
  ...six('/company/user/user'),
  ...six('/company/user/role'),
  'GET PUT /company/company/settings',
  'GET POST /company/trade/transfer',
  'GET /company/trade/transfer/{model}',
  'PATCH /company/trade/transfer/{model}/complete',
  'PATCH /company/trade/transfer/{model}/cancel',
  'GET PUT /admin/billing/tariff/{company}',
  'POST /admin/billing/tariff/{company}/deposit',
  'POST /external/billing/payment-notification',
].flatMap(requestsOf);

/** What we serve beyond the contract. */
const OURS = ['POST /common/public/upload-form', 'GET /partner/company/{model}'];

const promised = CONTRACT.map(({ request }) => request);

const served = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.keys(endpoints).map((method) => `${method} ${path}`),
);

test('the contract names each operation once', () => {
  expect(promised).toHaveLength(new Set(promised).size);
});

test('every operation of the contract is served, or on the list of what is missing', () => {
  expect(promised.filter((request) => !served.includes(request) && !MISSING.includes(request))).toEqual([]);
});

test('what is served is not missing any more', () => {
  expect(MISSING.filter((request) => served.includes(request))).toEqual([]);
});

test('nothing is served or missing that the contract does not name, but what is ours', () => {
  expect([...served, ...MISSING].filter((request) => !promised.includes(request)).sort()).toEqual(
    OURS.toSorted(),
  );
});
