import * as z from 'zod';
import type { Stored } from '#lib/records/stored.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { familyTenant, type Key, recordKey } from '#lib/table/keys.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type StoredTariff, tariffReplacement } from './record.ts';

/** Type of tariff entries in their keys. */
export const TARIFF_ENTRY = 'tariff-entry';

/** Causes of a change of a tariff's balance. */
export const EntryType = enumeration('tariff_entry.type', ['charge', 'deposit', 'payment']);

/** A company's share of a charge. */
export const ChargeLine = z.object({ company_id: z.int(), amount: Money });

/** A change of a tariff's balance, which always equals the sum of its entries. */
export const TariffEntry = z.object({
  /** Numbered without gaps. */
  id: z.int(),
  type: EntryType,
  /** Negative for a charge. */
  amount: Money,
  /** Balance after it. */
  balance: Money,
  /** Effective day. */
  day: z.string(),
  /** Of a charge: its period, and the price of each company. */
  period: z.object({ from: z.string(), to: z.string() }).nullable(),
  lines: z.array(ChargeLine),
  /** Of a payment. */
  external_id: z.string().nullable(),
  comment: z.string().nullable(),
  /** Null for changes by the service itself. */
  creator_id: z.int().nullable(),
  created_at: z.number(),
});

type TariffEntry = z.input<typeof TariffEntry>;

/** Cause of a change, and fields of the tariff that change beside the balance. */
interface Change extends Pick<TariffEntry, 'type' | 'amount' | 'day'> {
  readonly entry?: Partial<Pick<TariffEntry, 'period' | 'lines' | 'external_id' | 'comment' | 'creator_id'>>;
  readonly tariff?: Partial<StoredTariff>;
}

/** Returns the key of an entry. */
export function entryKey(familyId: number, id: number): Key {
  return recordKey(TARIFF_ENTRY, familyTenant(familyId), id);
}

/** Returns the tariff after a change. */
export function tariffAfter<T extends StoredTariff>(before: T, { amount, day, tariff }: Change): T {
  const balance = before.balance + amount;
  const debt_since = balance < 0 ? (before.debt_since ?? day) : null;
  return { ...before, ...tariff, balance, debt_since, last_entry: before.last_entry + 1 };
}

/** Builds the writes of a change: the tariff after it, and its entry. */
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
