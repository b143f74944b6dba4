import { addExpenseReason, ExpenseReasonInput } from '#lib/cash/expense-reason.ts';
import { LeafReason, LeafReasons, leavesOf } from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox-shift.expense-reasons.index',
  response: LeafReasons,
  run: ({ actor, locale }) => leavesOf(actor, 'outcome', locale),
});

export const POST = endpoint({
  right: 'company.trade.cashbox-shift.expense-reasons.store',
  strict: true,
  body: ExpenseReasonInput,
  response: LeafReason,
  note: 'Returns the existing expense reason of that name, if any; letter case and whitespace are ignored.',
  run: ({ actor, body, at }) => addExpenseReason(actor, body.name, at),
});
