import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ExpenseInput, payExpense } from '#lib/trade/shift/expense.ts';

export const POST = endpoint({
  right: 'company.trade.cashbox-shift.expense',
  idempotent: true,
  body: ExpenseInput,
  response: Posting,
  run: ({ actor, id, body, at, saveResponse }) => payExpense(actor, { id, ...body }, at, saveResponse),
});
