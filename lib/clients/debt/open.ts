import * as z from 'zod';
import { put, remove, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { remainderOf, type StoredDebt } from './record.ts';

/*
 * Each debt with a remainder has an open-debt item, in a partition of its client and currency, in payment
 * order: by due date, `created_at`, id. It is created, updated and deleted in its debt's transactions. A
 * payment thus reads one partition, for any number of past debts. Contract 8.
 */

/** Debt with a remainder. */
export const OpenDebt = z.object({
  id: z.int(),
  company_id: z.int(),
  remaining_amount: z.int().min(1),
});

export type OpenDebt = Readonly<z.output<typeof OpenDebt>>;

/** Returns the partition key of a client's open debts in a currency. */
export function openDebtsOf(tenant: Tenant, clientId: number, currency: Currency): string {
  return `open-debts#${tenant}#${clientId}#${currency}`;
}

/** Reads a client's open debts in a currency, in payment order. One round trip for some thousands. */
export async function readOpenDebts(
  tenant: Tenant,
  clientId: number,
  currency: Currency,
): Promise<OpenDebt[]> {
  const items = await wholePartition(openDebtsOf(tenant, clientId, currency));
  return items.map((item) => OpenDebt.parse(item));
}

/** Builds the open debt of a debt with a remainder. */
export function openDebtOf(debt: StoredDebt): OpenDebt {
  return { id: debt.id, company_id: debt.company_id, remaining_amount: remainderOf(debt) };
}

/**
 * Builds the writes that update the open debt of a debt; none if its remainder and due date are unchanged.
 * Another due date gives it another place.
 */
export function openDebtWrites(tenant: Tenant, before: StoredDebt | undefined, after: StoredDebt): Write[] {
  const [left, leftBefore] = [remainderOf(after), before ? remainderOf(before) : 0];
  const key = openDebtKey(tenant, after);
  const isMoved = before !== undefined && before.due_date !== after.due_date;
  const gone = isMoved && leftBefore > 0 ? [remove(openDebtKey(tenant, before))] : [];
  if (left === leftBefore && !isMoved) return [];
  if (left === 0) return isMoved ? gone : [remove(key)];
  return [...gone, put(key, openDebtOf(after))];
}

/** Returns the key of a debt's open debt. */
export function openDebtKey(
  tenant: Tenant,
  { id, client_id, currency, due_date, created_at }: StoredDebt,
): Key {
  const sk = [pad(due_date), pad(created_at), padId(id)].join('#');
  return { pk: openDebtsOf(tenant, client_id, currency), sk };
}

/** Renders a time of up to 15 digits in its order; one before 1970 begins with a sign, which sorts first. */
function pad(at: Instant): string {
  return at < 0 ? `-${pad(10 ** 15 + at)}` : String(at).padStart(15, '0');
}
