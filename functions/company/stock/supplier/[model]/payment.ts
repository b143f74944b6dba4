import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { pay, SupplierPaymentInput } from '#lib/stock/supplier/payment.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.payment',
  idempotent: true,
  body: SupplierPaymentInput,
  response: Posting,
  note:
    'Deducts the amount from the desk and from the amount payable to the supplier; an advance makes the ' +
    'balance negative.',
  run: ({ actor, id, body, at, saveResponse }) => pay(actor, { ...body, supplier_id: id }, at, saveResponse),
});
