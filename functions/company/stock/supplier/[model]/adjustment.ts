import { endpoint } from '#lib/http/endpoint.ts';
import { adjust, SupplierAdjustmentInput } from '#lib/stock/supplier/adjustment.ts';
import { SupplierOperation } from '#lib/stock/supplier/operation.ts';

export const POST = endpoint({
  right: 'company.stock.supplier.adjustment',
  idempotent: true,
  body: SupplierAdjustmentInput,
  response: SupplierOperation,
  note:
    'Changes the amount payable to the supplier without goods or money: above zero more is owed. An ' +
    '`opening` is made once for each currency, unless the former has a reversal.',
  run: ({ actor, id, body, at, saveResponse }) =>
    adjust(actor, { ...body, supplier_id: id }, at, saveResponse),
});
