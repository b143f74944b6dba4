import { moveTender, TenderInput, TenderResponse } from '#lib/cash/operation/tender.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.cashbox.operation.tender',
  mayNeed: { 'company.cashbox.operation.store': 'fee' },
  idempotent: true,
  body: TenderInput,
  response: TenderResponse,
  note:
    'Money of a desk changes from one payment type to cash or bank, as when a bank pays out card sales. The ' +
    '`fee` is an expense out of `to_payment_type` and requires the right `company.cashbox.operation.store`; it ' +
    'alone can be returned or canceled.',
  run: ({ actor, body, at, saveResponse }) => moveTender(actor, body, at, saveResponse),
});
