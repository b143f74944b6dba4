import type * as z from 'zod';
import { tariffKey } from '#lib/auth/workplace.ts';
import { entryKey, TARIFF_ENTRY, TariffEntry } from '#lib/billing/entry.ts';
import { paymentKey, TARIFF_PAYMENT, TariffPayment } from '#lib/billing/payment/record.ts';
import { findTariff } from '#lib/billing/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

type Entry = z.input<typeof TariffEntry>;
type Link = Pick<Entry, 'id' | 'balance'>;

/**
 * Checks that the entries of a family's tariff are a chain without gaps, that each charge is the sum of its
 * lines, and that they add up to the balance.
 */
export async function checkTariff(books: Books): Promise<void> {
  // The tariff first: later entries are left to the next reading.
  const { last_entry, balance } = (await findTariff(books.familyId)) ?? { last_entry: 0, balance: 0 };
  const credited = new NamedSums();
  let last: Link = { id: 0, balance: 0 };
  for await (const entry of everyOf(books.tenant, { type: TARIFF_ENTRY, schema: TariffEntry })) {
    if (entry.id > last_entry) continue;
    books.count('tariff entries');
    books.report(subjectOf(books, entry), entryFaults(entry, last));
    if (entry.external_id !== null) credited.set(entry.external_id, entry.amount);
    last = entry;
  }
  await checkPayments(books, credited);
  const isLast = last_entry === last.id && balance === last.balance;
  const fault = `is the last, and leaves ${last.balance}, not ${balance}`;
  books.report(subjectOf(books, last), faultUnless(isLast, fault));
}

/** Checks that payment entries match paid payments, each once. */
async function checkPayments(books: Books, credited: NamedSums): Promise<void> {
  const report = (externalId: string, faults: readonly string[]) => {
    const keys = [paymentKey(books.familyId, externalId)];
    books.report({ book: 'tariff payments', subject: `payment ${externalId}`, keys }, faults);
  };
  for await (const payment of everyOf(books.tenant, { type: TARIFF_PAYMENT, schema: TariffPayment })) {
    const { external_id, amount, status } = payment;
    books.count('tariff payments');
    const sum = credited.of(external_id);
    credited.delete(external_id);
    const isRight = sum === (status === 'paid' ? amount : 0);
    report(external_id, faultUnless(isRight, `is ${status} with ${amount}, and credited ${sum}`));
  }
  for (const externalId of credited.keys()) report(externalId, ['is credited, and not there']);
}

function entryFaults({ id, balance, amount, type, lines }: Entry, last: Link): string[] {
  const charged = type === 'charge' ? totalAmount(lines) : -amount;
  return [
    ...faultUnless(id === last.id + 1, `comes after entry ${last.id}`),
    ...faultUnless(balance === last.balance + amount, `leaves ${balance} of ${last.balance}`),
    ...faultUnless(charged === -amount, `charges ${-amount} for ${charged}`),
  ];
}

function subjectOf({ familyId }: Books, { id }: Link) {
  return { book: 'tariff', subject: `entry ${id}`, keys: [tariffKey(familyId), entryKey(familyId, id)] };
}
