import { endpoint } from '#lib/http/endpoint.ts';
import * as shifts from '#lib/trade/shift/read.ts';
import { CashboxShift, ShiftEmbeds } from '#lib/trade/shift/record.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox-shift.show',
  query: ShiftEmbeds,
  answers: CashboxShift,
  run: ({ actor, id, query, at, locale }) => shifts.get(actor, id, query, { at, locale }),
});
