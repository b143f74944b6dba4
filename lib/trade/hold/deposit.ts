import type { Staff } from '#lib/auth/actor.ts';
import { documentReplacement, findDocument } from '#lib/records/documents.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { holds, type OpenHold } from './record.ts';

/** Income of a deposit that names a hold. */
interface Named {
  readonly type: string;
  readonly client_id: number;
  readonly currency: Currency;
}

/** Finds the hold that an income of a deposit names; undefined without one. One round trip. */
export async function findHold(actor: Staff, id: number | null): Promise<OpenHold | undefined> {
  return id === null ? undefined : findDocument(holds, actor, id);
}

/**
 * Validates the hold of an income: in progress, of the same client and currency. Part 5, 5A.6, 4.
 */
export function checkHold(
  { type, client_id, currency }: Named,
  hold: OpenHold | undefined,
  issues: ValidationIssues,
): void {
  if (type !== 'income') issues.add('hold_id', 'deposit.hold_of_income');
  else if (!hold) issues.add('hold_id', 'validation.not_found');
  else if (hold.status !== 'in_progress') issues.add('hold_id', 'hold.not_in_progress');
  else if (hold.client_id !== client_id) issues.add('hold_id', 'deposit.hold_of_other_client');
  else if (hold.currency !== currency) {
    issues.add('hold_id', { key: 'sale.other_currency', with: { currency: hold.currency } });
  }
}

/** Builds the writes that count an income, or its reversal, in the deposit of its hold. */
export function holdDepositWrites(tenant: Tenant, hold: OpenHold, amount: MinorUnits, at: Instant): Write[] {
  const deposit_amount = (hold.deposit_amount ?? 0) + amount;
  return documentReplacement(holds, tenant, hold, { ...hold, deposit_amount, updated_at: at });
}

/** Reads the hold of an entry that is reversed, in any status. One round trip. */
export async function readHoldOf(tenant: Tenant, id: number | null): Promise<OpenHold | undefined> {
  if (id === null) return undefined;
  return parseRecord(holds.schema, await getItem(recordKey(holds.type, tenant, id)));
}
