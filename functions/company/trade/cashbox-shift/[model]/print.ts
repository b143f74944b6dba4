import { endpoint } from '#lib/http/endpoint.ts';
import { PrintablePage } from '#lib/printing/page.ts';
import { SlipQuery } from '#lib/printing/slip.ts';
import { printShift } from '#lib/trade/shift/slip.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox-shift.print',
  query: SlipQuery,
  response: PrintablePage,
  note: 'An X report while the shift is open, a Z report once it is closed.',
  run: ({ actor, id, query, at, locale }) => printShift(actor, id, query.paper, { at, locale }),
});
