import { endpoint } from '#lib/http/endpoint.ts';
import { CashboxShift, ShiftEmbeds } from '#lib/trade/shift/record.ts';
import * as shifts from '#lib/trade/shift/show.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox-shift.show',
  query: ShiftEmbeds,
  response: CashboxShift,
  run: ({ actor, id, query, at, locale }) => shifts.get(actor, id, query, { at, locale }),
});
