import { isDeepStrictEqual } from 'node:util';
import { openDebtsOf, readOpenDebts } from '#lib/clients/debt/open.ts';
import { debts, remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partitionItems } from '#lib/table/items.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/walk.ts';
import { type Audit, addTo } from './audit.ts';

/**
 * Posts every debt, to be claimed by its sale, adds up what each client owes, and checks that a client's open
 * debts are those of which something is left.
 */
export async function checkDebts(audit: Audit): Promise<void> {
  const { home, violations } = audit;
  const owed = new Map<string, StoredDebt[]>();
  for await (const items of walk(partition(debts.type, home))) {
    for (const item of items) {
      const debt = vouched(debts.schema, item);
      const { id, client_id, sale_id, currency, amount, repaid_amount, returned_amount } = debt;
      addTo(audit.counts, 'debts', 1);
      audit.debts.post(String(id), {
        ...{ client_id, sale_id, currency, amount, repaid_amount, returned_amount },
      });
      addTo(audit.debtors, `${client_id} ${currency}`, remainderOf(debt));
      addTo(audit.repaid, String(id), repaid_amount);
      const place = openDebtsOf(home, client_id, currency);
      owed.set(place, [...(owed.get(place) ?? []), debt]);
    }
  }
  for (const [place, theirs] of owed) {
    const [first] = theirs;
    if (!first) continue;
    const { client_id, currency } = first;
    const open = await readOpenDebts(home, client_id, currency);
    const left = theirs.filter((debt) => remainderOf(debt) > 0).sort(byDueDate);
    const expected = left.map((debt) => ({
      id: debt.id,
      company_id: debt.company_id,
      remaining_amount: remainderOf(debt),
    }));
    if (isDeepStrictEqual(open, expected)) continue;
    violations.push({
      book: 'debts',
      subject: `client ${client_id}, ${currency}`,
      what: `has open debts ${textOf(open)}, but what is left of debts is ${textOf(expected)}`,
      history: () => partitionItems(place),
    });
  }
}

function byDueDate(a: StoredDebt, b: StoredDebt): number {
  return a.due_date - b.due_date || a.created_at - b.created_at || a.id - b.id;
}

function textOf(open: readonly { readonly id: number; readonly remaining_amount: number }[]): string {
  return open.map(({ id, remaining_amount }) => `${id}: ${remaining_amount}`).join(', ') || 'none';
}
