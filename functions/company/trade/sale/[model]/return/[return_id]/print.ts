import { endpoint } from '#lib/http/endpoint.ts';
import { PrintablePage } from '#lib/printing/page.ts';
import { SlipQuery } from '#lib/printing/slip.ts';
import { ReturnParams } from '#lib/trade/return/fiscal-receipt.ts';
import { printReturn } from '#lib/trade/sale-documents/return-slip.ts';

export const GET = endpoint({
  right: 'company.trade.sale.return.print',
  params: ReturnParams,
  query: SlipQuery,
  response: PrintablePage,
  run: ({ actor, params, query, locale }) => printReturn(actor, params, query.paper, locale),
});
