import { SaleDesks, saleDesks } from '#lib/cash/operation/stats.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.operation.cashboxes',
  response: SaleDesks,
  run: ({ actor }) => saleDesks(actor),
});
