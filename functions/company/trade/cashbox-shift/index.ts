import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { CashboxShift, OpeningInput, ShiftList } from '#lib/trade/shift/record.ts';
import { shiftSheet } from '#lib/trade/shift/sheet.ts';
import * as shifts from '#lib/trade/shift/show.ts';

export const GET = listing({
  right: 'company.trade.cashbox-shift.index',
  mayNeed: { 'company.trade.cashbox-shift.all': null },
  query: ShiftList,
  rows: CashboxShift,
  sheet: shiftSheet,
  note:
    'A cashier sees their own shifts; with the right `company.trade.cashbox-shift.all` all shifts of ' +
    'accessible desks, as API keys do; a director sees all. Totals of an open shift are current.',
  run: ({ actor, query, at, locale }) => shifts.list(actor, query, { at, locale }),
});

export const POST = endpoint({
  right: 'company.trade.cashbox-shift.store',
  idempotent: true,
  body: OpeningInput,
  response: CashboxShift,
  note:
    '`opening_balances` is change brought in from outside: an income of the desk. Money already at the desk ' +
    'is `opening_balance` of each row. 400 if the company works without shifts, 403 for API keys.',
  run: ({ actor, body, at, locale, saveResponse }) => openShift(actor, body, { at, locale }, saveResponse),
});
