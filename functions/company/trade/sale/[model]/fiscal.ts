import { endpoint } from '#lib/http/endpoint.ts';
import { fiscalize } from '#lib/trade/return/fiscal-receipt.ts';
import { FiscalReceiptInput } from '#lib/trade/sale/input.ts';
import { Sale } from '#lib/trade/sale/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.fiscal',
  idempotent: true,
  body: FiscalReceiptInput,
  response: Sale,
  note: 'A sale gets one fiscal receipt: repeating it changes nothing, another one is rejected.',
  run: ({ actor, id, body, at, saveResponse }) => fiscalize(actor, id, body, { at, saveResponse }),
});
