import { endpoint } from '#lib/http/endpoint.ts';
import * as shifts from '#lib/trade/shift/show.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox-shift.current',
  response: shifts.CurrentShift,
  note: 'The summary of an open shift shows the money expected at the desk now.',
  run: ({ actor, at, locale }) => shifts.current(actor, { at, locale }),
});
