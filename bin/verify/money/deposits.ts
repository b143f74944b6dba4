import { type DepositEntry, deposits } from '#lib/clients/deposit/record.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

/**
 * Sums the entries of deposits by client and currency. Checks each against its reversal, and ties those with
 * money to their postings. Returns those of debt payments, too.
 */
export async function readDeposits(
  books: Books,
): Promise<{ readonly sums: NamedSums; readonly repayments: readonly DepositEntry[] }> {
  const byId = new Map<number, DepositEntry>();
  for await (const entry of everyOf(books.tenant, deposits)) byId.set(entry.id, entry);
  const sums = new NamedSums();
  for (const entry of byId.values()) {
    const { id, client_id, currency, amount, balance_after, type, source_id } = entry;
    books.count('entries of deposits');
    sums.add(`${client_id} ${currency}`, amount);
    if (source_id !== null) books.deposits.add(`${type} ${source_id} in ${currency} of ${client_id}`, amount);
    books.reportRecord({ book: 'deposits', noun: 'entry', type: deposits.type, id }, [
      ...faultUnless(isPaired(entry, byId), 'and its reversal are not of each other'),
      ...faultUnless(balance_after >= 0, `has a balance of ${balance_after} after it`),
      ...tieMoney(books, entry),
    ]);
  }
  const repayments = [...byId.values()].filter(({ type }) => type === 'debt_payment');
  return { sums, repayments };
}

/** Reports documents with another change of a deposit than their entries. */
export function reportDeposits(books: Books): void {
  for (const [subject, rest] of books.deposits) {
    const what = `changes a deposit by ${rest} more in its entries than it says`;
    const found = { book: 'deposits', subject, keys: [], further: [{ subject, rest }] };
    books.report(found, faultUnless(rest === 0, what));
  }
}

/** Checks that an entry and its reversal, if any, are of each other, and cancel each other. */
function isPaired(entry: DepositEntry, byId: ReadonlyMap<number, DepositEntry>): boolean {
  const { id, reversal_of_id, reversal_id, client_id, currency, amount, type } = entry;
  if ((type === 'reversal') !== (reversal_of_id !== null)) return false;
  const otherId = reversal_id ?? reversal_of_id;
  if (otherId === null) return true;
  const other = byId.get(otherId);
  const areLinked = other?.reversal_id === id || other?.reversal_of_id === id;
  return (
    areLinked && other.client_id === client_id && other.currency === currency && other.amount === -amount
  );
}

function tieMoney({ postings }: Books, entry: DepositEntry): string[] {
  const { id, transfer_id, amount: change, currency, cashbox_id, reversal_of_id } = entry;
  if (transfer_id === null) {
    const hasNone = !['income', 'outcome'].includes(entry.type);
    return faultUnless(hasNone, 'moved money without a posting');
  }
  const [type, amount] = [change > 0 ? 'income' : 'outcome', Math.abs(change)] as const;
  const source = { source_type: 'deposit', source_id: reversal_of_id ?? id } as const;
  const expected = { type, amount, currency, cashbox_id: cashbox_id ?? 0, ...source };
  return postings.match(transfer_id, expected, `is not what posting ${transfer_id} says`);
}
