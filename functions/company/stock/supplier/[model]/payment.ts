import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { pay, SupplierPaymentInput } from '#lib/stock/supplier/payment.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.payment',
  idempotent: true,
  body: SupplierPaymentInput,
  response: Posting,
  note:
    'Takes the amount off the desk and off what is owed to the supplier; paid ahead, that stands below ' +
    'zero.',
  run: ({ actor, id, body, at, saveResponse }) => pay(actor, { ...body, supplier_id: id }, at, saveResponse),
});
