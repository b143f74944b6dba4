import { debts } from '#lib/clients/debt.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/walk.ts';
import { type Audit, addTo } from './audit.ts';

/** Posts every debt, to be claimed by its sale, and adds up what each client owes. */
export async function readDebts(audit: Audit): Promise<void> {
  for await (const items of walk(partition(debts.type, audit.home))) {
    for (const item of items) {
      const { id, client_id, sale_id, currency, amount, repaid_amount, returned_amount } = vouched(
        debts.schema,
        item,
      );
      addTo(audit.counts, 'debts', 1);
      audit.debts.post(String(id), {
        ...{ client_id, sale_id, currency, amount, repaid_amount, returned_amount },
      });
      addTo(audit.debtors, `${client_id} ${currency}`, amount - repaid_amount - returned_amount);
    }
  }
}
