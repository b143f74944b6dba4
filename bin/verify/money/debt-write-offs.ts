import { debts, type StoredDebt } from '#lib/clients/debt/record.ts';
import { type DebtWriteOff, debtWriteOffs } from '#lib/clients/debt/write-off-record.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless } from '../frame/ledger.ts';

/**
 * Sums the write-offs of debts, less the amounts that their debts state, in `writtenOff` of the books:
 * returns have closed the rest. Checks each write-off against its reversal. An opening debt, which no return
 * closes, must state the total of its write-offs.
 */
export async function checkWriteOffs(books: Books, all: readonly StoredDebt[]): Promise<void> {
  const { writtenOff, tenant } = books;
  const byId = new Map<number, DebtWriteOff>();
  for await (const made of everyOf(tenant, debtWriteOffs)) byId.set(made.id, made);
  const known = new Map(all.map((debt) => [debt.id, debt]));
  for (const made of byId.values()) {
    const { id, debt_id, amount } = made;
    books.count('write-offs of debts');
    writtenOff.add(debt_id, amount);
    const subject = { book: 'debt write-offs', noun: 'write-off', type: debtWriteOffs.type, id };
    books.reportRecord(subject, [
      ...faultUnless(isPaired(made, byId), 'and its reversal are not of each other'),
      ...faultUnless(isOf(made, known.get(debt_id)), `is not of debt ${debt_id}`),
    ]);
  }
  for (const { id, written_off_amount = 0 } of all) writtenOff.add(id, -written_off_amount);
  for (const { id } of all.filter(({ sale_id }) => sale_id === null)) {
    const rest = writtenOff.of(id);
    const fault = `says that ${rest} less is written off than its write-offs come to`;
    const subject = { book: 'debt write-offs', noun: 'debt', type: debts.type, id };
    books.reportRecord(subject, faultUnless(rest === 0, fault));
  }
}

/** Checks that a write-off and its reversal, if any, are of each other, and of one debt. */
function isPaired(made: DebtWriteOff, byId: ReadonlyMap<number, DebtWriteOff>): boolean {
  const { id, reversal_of_id, reversal_id, debt_id, amount } = made;
  if (reversal_of_id === null && reversal_id === null) return amount > 0;
  const other = byId.get(reversal_id ?? reversal_of_id ?? id);
  if (other?.debt_id !== debt_id) return false;
  const [first, second] = reversal_id === null ? [other, made] : [made, other];
  const areLinked = first.reversal_id === second.id && second.reversal_of_id === first.id;
  return areLinked && second.amount < 0 && first.amount + second.amount >= 0;
}

function isOf({ client_id, company_id, currency }: DebtWriteOff, debt: StoredDebt | undefined): boolean {
  const isTheirs = debt?.client_id === client_id && debt.company_id === company_id;
  return isTheirs && debt.currency === currency;
}
