import * as z from 'zod';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { putNew, type Write } from '#lib/table/write.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/** What a client owes for a cheque. Part 3, "Debt payment". */
export const Debt = z.object({
  id: z.int(),
  creator_id: z.int(),
  company_id: z.int(),
  client_id: z.int(),
  sale_id: z.int(),
  currency: Currency,
  amount: Money,
  repaid_amount: Money,
  returned_amount: Money,
  due_date: Timestamp,
  comment: z.string().nullable(),
  status: z.enum(['not_repaid', 'partially_repaid', 'repaid']),
  created_at: Timestamp,
  updated_at: Timestamp,
});

type StoredDebt = z.input<typeof Debt>;

/** The type of debts' keys and their counter's name. */
export const DEBT = 'debt';

/** The write of a new debt, of which nothing is paid yet. */
export function debtWrite(
  home: Home,
  debt: Omit<StoredDebt, 'repaid_amount' | 'returned_amount' | 'status'>,
): Write {
  const unpaid = { repaid_amount: 0, returned_amount: 0, status: 'not_repaid', version: 1 };
  return putNew(recordKey(DEBT, home, debt.id), { ...debt, ...unpaid });
}
