import { endpoint } from '#lib/http/endpoint.ts';
import { SupplierOperation } from '#lib/stock/supplier/operation.ts';
import { OperationParams, reverseOperation } from '#lib/stock/supplier/reverse.ts';
import { ReversalInput } from '#lib/values/reversal.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.reverse',
  idempotent: true,
  params: OperationParams,
  body: ReversalInput,
  response: SupplierOperation,
  note:
    'Payments and adjustments are reversed, at any time. The money of a payment goes back at its own desk, ' +
    'in the shift that is open now. The operation and its reversal both stay.',
  run: ({ actor, params, body, at, saveResponse }) =>
    reverseOperation(actor, params, { ...body, at, saveResponse }),
});
