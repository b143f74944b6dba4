import * as z from 'zod';
import { sourceOf } from '#lib/records/documents.ts';
import { vouch } from '#lib/records/stored.ts';
import { put, remove, type Write } from '#lib/table/change/write.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { type Home, type Key, paddedId } from '#lib/table/keys.ts';
import { listIds, walkRows } from '#lib/table/list/walk-list.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { debts, remainderOf, type StoredDebt } from './record.ts';

/*
 * Beside each debt of which something is left stands an open debt, in a partition of its client and currency,
 * in the order in which debts are paid: by due date, `created_at`, id. It comes, changes and goes with its
 * debt, in the same transaction. So a payment reads one partition, however many debts there have been.
 * Decisions, 8.
 *
 * Debts from before there were open debts have none until they change. If a client's open debts don't come to
 * what the client owes, they are not all: then the debts themselves are asked, by their list.
 */

/** A debt of which something is left. */
export const OpenDebt = z.object({
  id: z.int(),
  company_id: z.int(),
  remaining_amount: z.int().min(1),
});

export type OpenDebt = Readonly<z.output<typeof OpenDebt>>;

/** Says where a client's open debts of a currency are. */
export function openDebtsOf(home: Home, clientId: number, currency: Currency): string {
  return `open-debts#${home}#${clientId}#${currency}`;
}

/** Reads what stands as open of a client and a currency, in its order. One round trip for some thousands. */
export async function readOpenDebts(home: Home, clientId: number, currency: Currency): Promise<OpenDebt[]> {
  const items = await wholePartition(openDebtsOf(home, clientId, currency));
  return items.map((item) => OpenDebt.parse(item));
}

/** Reads the same off the debts themselves, which takes as many round trips as a list. */
export async function readDebtsLeft(home: Home, clientId: number, currency: Currency): Promise<OpenDebt[]> {
  const source = sourceOf(debts, home);
  const where = [
    equals('client_id', clientId),
    equals('currency', currency),
    oneOf('status', ['not_repaid', 'partially_repaid']),
  ];
  const list = { where, sort: { field: 'id', descending: false }, only: Object.keys(debts.schema.shape) };
  const { ids } = await listIds(source, list, Number.MAX_SAFE_INTEGER);
  const left: StoredDebt[] = [];
  for await (const items of walkRows(source, ids, list)) {
    left.push(...items.map((item) => vouch(debts.schema, item)));
  }
  return left.toSorted(byDueDate).map(openDebtOf);
}

/** Orders debts as they are paid. Decisions, 8. */
function byDueDate(a: StoredDebt, b: StoredDebt): number {
  return a.due_date - b.due_date || a.created_at - b.created_at || a.id - b.id;
}

/** Makes the open debt of a debt of which something is left. */
export function openDebtOf(debt: StoredDebt): OpenDebt {
  return { id: debt.id, company_id: debt.company_id, remaining_amount: remainderOf(debt) };
}

/** Builds the write by which an open debt follows its debt; none if as much is left as before. */
export function openDebtWrites(home: Home, before: StoredDebt | undefined, after: StoredDebt): Write[] {
  const remaining_amount = remainderOf(after);
  if (remaining_amount === (before ? remainderOf(before) : 0)) return [];
  const key = openDebtKey(home, after);
  if (remaining_amount === 0) return [remove(key)];
  return [put(key, openDebtOf(after))];
}

/** Gives the key of the open debt beside a debt. */
export function openDebtKey(home: Home, { id, client_id, currency, due_date, created_at }: StoredDebt): Key {
  const sk = [padded(due_date), padded(created_at), paddedId(id)].join('#');
  return { pk: openDebtsOf(home, client_id, currency), sk };
}

function padded(at: Instant): string {
  return String(at).padStart(15, '0');
}
