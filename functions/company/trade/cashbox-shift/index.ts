import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { CashboxShift, OpeningInput, ShiftList } from '#lib/trade/shift/record.ts';
import { shiftSheet } from '#lib/trade/shift/sheet.ts';
import * as shifts from '#lib/trade/shift/show.ts';

export const GET = listing({
  right: 'company.trade.cashbox-shift.index',
  query: ShiftList,
  rows: CashboxShift,
  sheet: shiftSheet,
  note:
    'A cashier sees their own shifts; with the right `company.trade.cashbox-shift.all` all of the desks open to ' +
    'them, as a program’s key does; a director all. An open one has the sums of this moment.',
  run: ({ actor, query, at, locale }) => shifts.list(actor, query, { at, locale }),
});

export const POST = endpoint({
  right: 'company.trade.cashbox-shift.store',
  idempotent: true,
  body: OpeningInput,
  response: CashboxShift,
  note:
    '`opening_balances` is change that is brought from outside: an income of the desk. What the desk has ' +
    'already is `opening_balance` of each row. 400 if the company works without shifts, ' +
    '403 for a program’s key.',
  run: ({ actor, body, at, locale, saveResponse }) => openShift(actor, body, { at, locale }, saveResponse),
});
