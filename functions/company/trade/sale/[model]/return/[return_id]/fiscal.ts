import { endpoint } from '#lib/http/endpoint.ts';
import { fiscalizeReturn, ReturnParams } from '#lib/trade/return/fiscal-receipt.ts';
import { FiscalReceiptInput } from '#lib/trade/sale/input.ts';
import { SaleReturn } from '#lib/trade/sale/returns-of.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.fiscal',
  idempotent: true,
  params: ReturnParams,
  body: FiscalReceiptInput,
  response: SaleReturn,
  note: 'A return gets one fiscal receipt: repeating it changes nothing, another one is rejected.',
  run: ({ actor, params, body, at, saveResponse }) =>
    fiscalizeReturn(actor, params, body, { at, saveResponse }),
});
