import { isDeepStrictEqual } from 'node:util';
import { OpenDebt, openDebtKey, openDebtOf, openDebtsOf } from '#lib/clients/debt/open.ts';
import { debts, remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partitionItems } from '#lib/table/items.ts';
import { partition } from '#lib/table/keys.ts';
import { walk, wholePartition } from '#lib/table/read/walk.ts';
import type { Audit } from './audit.ts';
import { addTo } from './sums.ts';

/**
 * Posts every debt, to be claimed by its sale, adds up what each client owes, and checks that a client's open
 * debts are those of which something is left.
 */
export async function checkDebts(audit: Audit): Promise<void> {
  const owed = new Map<string, StoredDebt[]>();
  for await (const items of walk(partition(debts.type, audit.home))) {
    for (const item of items) {
      const debt = vouched(debts.schema, item);
      const { id, client_id, sale_id, currency, amount, repaid_amount, returned_amount } = debt;
      addTo(audit.counts, 'debts', 1);
      const posted = { client_id, sale_id, currency, amount, repaid_amount, returned_amount };
      audit.debts.post(String(id), posted);
      addTo(audit.debtors, `${client_id} ${currency}`, remainderOf(debt));
      addTo(audit.repaid, String(id), repaid_amount);
      const debtor = openDebtsOf(audit.home, client_id, currency);
      owed.set(debtor, [...(owed.get(debtor) ?? []), debt]);
    }
  }
  for (const [place, theirs] of owed) await checkOpenDebts(audit, place, theirs);
}

async function checkOpenDebts(audit: Audit, place: string, owed: readonly StoredDebt[]): Promise<void> {
  const items = await wholePartition(place);
  const open = new Map(items.map((item) => [String(item['sk']), OpenDebt.parse(item)]));
  const left = owed.filter((debt) => remainderOf(debt) > 0);
  for (const debt of left) {
    const { sk } = openDebtKey(audit.home, debt);
    // One from before there were open debts has none until it changes, and is found without it.
    if (!open.has(sk)) addTo(audit.counts, 'debts without an open debt', 1);
    else if (!isDeepStrictEqual(open.get(sk), openDebtOf(debt)))
      report(audit, place, `not that of debt ${debt.id}`);
    open.delete(sk);
  }
  for (const sk of open.keys()) report(audit, place, `${sk}, of no debt that is left`);
}

function report({ violations }: Audit, place: string, what: string): void {
  const history = () => partitionItems(place);
  violations.push({ book: 'debts', subject: place, what: `has an open debt that is ${what}`, history });
}
