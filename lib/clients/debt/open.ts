import * as z from 'zod';
import { put, remove, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { remainderOf, type StoredDebt } from './record.ts';

/*
 * Beside each debt of which something is left stands an open debt, in a partition of its client and currency,
 * in the order in which debts are paid: by due date, `created_at`, id. It comes, changes and goes with its
 * debt, in the same transaction. So a payment reads one partition, however many debts there have been.
 * Contract 8.
 */

/** A debt of which something is left. */
export const OpenDebt = z.object({
  id: z.int(),
  company_id: z.int(),
  remaining_amount: z.int().min(1),
});

export type OpenDebt = Readonly<z.output<typeof OpenDebt>>;

/** Says where a client's open debts of a currency are. */
export function openDebtsOf(tenant: Tenant, clientId: number, currency: Currency): string {
  return `open-debts#${tenant}#${clientId}#${currency}`;
}

/** Reads what stands as open of a client and a currency, in its order. One round trip for some thousands. */
export async function readOpenDebts(
  tenant: Tenant,
  clientId: number,
  currency: Currency,
): Promise<OpenDebt[]> {
  const items = await wholePartition(openDebtsOf(tenant, clientId, currency));
  return items.map((item) => OpenDebt.parse(item));
}

/** Makes the open debt of a debt of which something is left. */
export function openDebtOf(debt: StoredDebt): OpenDebt {
  return { id: debt.id, company_id: debt.company_id, remaining_amount: remainderOf(debt) };
}

/** Builds the write by which an open debt follows its debt; none if as much is left as before. */
export function openDebtWrites(tenant: Tenant, before: StoredDebt | undefined, after: StoredDebt): Write[] {
  const remaining_amount = remainderOf(after);
  if (remaining_amount === (before ? remainderOf(before) : 0)) return [];
  const key = openDebtKey(tenant, after);
  if (remaining_amount === 0) return [remove(key)];
  return [put(key, openDebtOf(after))];
}

/** Gives the key of the open debt beside a debt. */
export function openDebtKey(
  tenant: Tenant,
  { id, client_id, currency, due_date, created_at }: StoredDebt,
): Key {
  const sk = [pad(due_date), pad(created_at), padId(id)].join('#');
  return { pk: openDebtsOf(tenant, client_id, currency), sk };
}

function pad(at: Instant): string {
  return String(at).padStart(15, '0');
}
