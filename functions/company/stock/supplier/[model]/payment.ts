import { Transfer } from '#lib/cash/transfer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { pay, SupplierPaymentInput } from '#lib/stock/supplier-payment.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.payment',
  idempotent: true,
  body: SupplierPaymentInput,
  answers: Transfer,
  run: ({ actor, id, body, at, remember }) => pay(actor, id, body, at, remember),
});
