import { Transfer } from '#lib/cash/transfer/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ExpenseInput, payExpense } from '#lib/trade/shift/expense.ts';

export const POST = endpoint({
  right: 'company.trade.cashbox-shift.expense',
  idempotent: true,
  body: ExpenseInput,
  answers: Transfer,
  run: ({ actor, id, body, at, remember }) => payExpense(actor, { id, ...body }, at, remember),
});
