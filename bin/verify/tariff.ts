import type * as z from 'zod';
import { tariffKey } from '#lib/access/subscription.ts';
import { entryKey, TARIFF_ENTRY, TariffEntry } from '#lib/billing/entry.ts';
import { paymentKey, TARIFF_PAYMENT, TariffPayment } from '#lib/billing/payment/record.ts';
import { findTariff } from '#lib/billing/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type Cents, totalAmount } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { addTo } from './sums.ts';

type Entry = z.input<typeof TariffEntry>;

/**
 * Checks that the entries of a family's tariff are a chain without a gap, that what they charge is the sum of
 * its lines, and that they come to the balance.
 */
export async function checkTariff(audit: Audit): Promise<void> {
  const { familyId, home, counts } = audit;
  // The tariff first: entries that are made meanwhile are left to the next reading.
  const tariff = await findTariff(familyId);
  const { last_entry, balance } = tariff ?? { last_entry: 0, balance: 0 };
  let last: Pick<Entry, 'id' | 'balance'> = { id: 0, balance: 0 };
  const paid = new Map<string, Cents>();
  for await (const items of walk(partition(TARIFF_ENTRY, home))) {
    const entries = items.map((item) => vouched(TariffEntry, item));
    for (const entry of entries.filter(({ id }) => id <= last_entry)) {
      addTo(counts, 'tariff entries', 1);
      for (const what of faultsOf(entry, last)) tell(audit, entry.id, what);
      if (entry.external_id !== null) paid.set(entry.external_id, entry.amount);
      last = entry;
    }
  }
  await checkPayments(audit, paid);
  if (last_entry !== last.id || balance !== last.balance) {
    tell(audit, last.id, `is the last, and leaves ${last.balance}, not ${balance}`);
  }
}

/** Checks that the entries of payments are those of the payments that are paid, each once. */
async function checkPayments(audit: Audit, paid: Map<string, Cents>): Promise<void> {
  const { home, familyId, counts, violations } = audit;
  const fault = (externalId: string, what: string) => {
    const history = itemsAt(paymentKey(familyId, externalId));
    violations.push({ book: 'tariff payments', subject: `payment ${externalId}`, what, history });
  };
  for await (const items of walk(partition(TARIFF_PAYMENT, home))) {
    for (const payment of items.map((item) => vouched(TariffPayment, item))) {
      addTo(counts, 'tariff payments', 1);
      const { external_id, amount, status } = payment;
      const credited = paid.get(external_id) ?? 0;
      paid.delete(external_id);
      const expected = status === 'paid' ? amount : 0;
      if (credited !== expected) fault(external_id, `is ${status} with ${amount}, and credited ${credited}`);
    }
  }
  for (const externalId of paid.keys()) fault(externalId, 'is credited, and not there');
}

function faultsOf({ id, balance, amount, type, lines }: Entry, last: Pick<Entry, 'id' | 'balance'>) {
  const charged = type === 'charge' ? totalAmount(lines) : -amount;
  return [
    ...(id === last.id + 1 ? [] : [`comes after entry ${last.id}`]),
    ...(balance === last.balance + amount ? [] : [`leaves ${balance} of ${last.balance}`]),
    ...(charged === -amount ? [] : [`charges ${-amount} for ${charged}`]),
  ];
}

function tell({ violations, familyId }: Audit, id: number, what: string): void {
  const history = itemsAt(tariffKey(familyId), entryKey(familyId, id));
  violations.push({ book: 'tariff', subject: `entry ${id}`, what, history });
}
