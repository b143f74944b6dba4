import * as z from 'zod';
import type { Stored } from '#lib/records/stored.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { familyTenant, type Key, recordKey } from '#lib/table/keys.ts';
import { Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type StoredTariff, tariffReplacement } from './record.ts';

/** The type of entries, in their keys. */
export const TARIFF_ENTRY = 'tariff-entry';

/** A company's share of a charge. */
const ChargeLine = z.object({ company_id: z.int(), amount: Money });

/** A change of a tariff's balance. The sum of them is the balance, always. */
export const TariffEntry = z.object({
  /** They are numbered without a gap. */
  id: z.int(),
  type: z.enum(['charge', 'deposit', 'payment']),
  /** Below zero for what is charged. */
  amount: Money,
  /** The balance after it. */
  balance: Money,
  /** It counts from this day. */
  day: z.string(),
  /** Of a charge: its period, and what each company costs. */
  period: z.object({ from: z.string(), to: z.string() }).nullable(),
  lines: z.array(ChargeLine),
  /** Of a payment. */
  external_id: z.string().nullable(),
  comment: z.string().nullable(),
  /** Null for what the service does by itself. */
  creator_id: z.int().nullable(),
  created_at: z.number(),
});

type TariffEntry = z.input<typeof TariffEntry>;

/** The cause of a change, and what of the tariff changes beside the balance. */
interface Change extends Pick<TariffEntry, 'type' | 'amount' | 'day'> {
  readonly entry?: Partial<Pick<TariffEntry, 'period' | 'lines' | 'external_id' | 'comment' | 'creator_id'>>;
  readonly tariff?: Partial<StoredTariff>;
}

/** Gives the key of an entry. */
export function entryKey(familyId: number, id: number): Key {
  return recordKey(TARIFF_ENTRY, familyTenant(familyId), id);
}

/** Makes the tariff that a change leaves. */
export function tariffAfter<T extends StoredTariff>(before: T, { amount, day, tariff }: Change): T {
  const balance = before.balance + amount;
  const debt_since = balance < 0 ? (before.debt_since ?? day) : null;
  return { ...before, ...tariff, balance, debt_since, last_entry: before.last_entry + 1 };
}

/** Builds the writes of a change: the tariff as it is after it, and the entry that tells why. */
export function changeWritesOf(before: Stored<typeof StoredTariff>, change: Change, at: Instant): Write[] {
  const after = tariffAfter(before, change);
  const { type, amount, day } = change;
  const entry: TariffEntry = {
    period: null,
    lines: [],
    external_id: null,
    comment: null,
    creator_id: null,
    ...change.entry,
    id: after.last_entry,
    type,
    amount,
    day,
    balance: after.balance,
    created_at: at,
  };
  return [
    tariffReplacement(before, { ...after, updated_at: at }),
    putNew(entryKey(before.id, entry.id), entry),
  ];
}
