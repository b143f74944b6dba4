import { isDeepStrictEqual } from 'node:util';
import { NO_BONUSES, waitingSum } from '#lib/clients/bonuses.ts';
import { CLIENT_SUMS, ClientSums, clientSumsKey, debtIn } from '#lib/clients/client-sums.ts';
import { partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import { Currency } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { addTo, type SumsItems } from './sums.ts';

/** Reads clients' sums before their debts. A client whose sum changes meanwhile is not judged. */
export async function readClients({ home }: Audit): Promise<SumsItems> {
  const ids: number[] = [];
  for await (const items of walk(partition(CLIENT_SUMS.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  const items = await getItems(ids.map((id) => clientSumsKey(home, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}

/** Checks that each client owes what is left of their debts, and has the bonuses that cheques left. */
export async function checkClients(audit: Audit, before: SumsItems): Promise<void> {
  const after = await getItems([...before.keys()].map((id) => clientSumsKey(audit.home, id)));
  for (const [index, [id, then]] of [...before].entries()) {
    const now = after[index] ?? {};
    addTo(audit.counts, 'clients', 1);
    if (isDeepStrictEqual(then, now)) checkClient(audit, id, now);
    else addTo(audit.counts, 'clients too busy to be checked', 1);
  }
}

function checkClient(audit: Audit, id: number, sums: Readonly<Record<string, unknown>>): void {
  const { bonuses, debt_paid_at = 0 } = ClientSums.parse(sums);
  const paidAt = audit.paidAt.get(id) ?? 0;
  if (debt_paid_at !== paidAt)
    report(audit, id, `paid last at ${debt_paid_at}, by the payments at ${paidAt}`);
  for (const currency of Currency.options) {
    const owes = sums[debtIn(currency)];
    const left = audit.debtors.get(`${id} ${currency}`) ?? 0;
    if (owes !== left) report(audit, id, `owes ${owes} ${currency}, what is left of debts is ${left}`);
    const { spendable, waiting } = bonuses[currency] ?? NO_BONUSES;
    const has = spendable + waitingSum({ spendable, waiting });
    const earned = audit.bonuses.get(`${id} ${currency}`) ?? 0;
    if (has !== earned) report(audit, id, `has bonuses of ${has} ${currency}, cheques leave ${earned}`);
  }
}

function report(audit: Audit, id: number, what: string): void {
  const history = itemsAt(clientSumsKey(audit.home, id));
  audit.violations.push({ book: 'clients', subject: `client ${id}`, what, history });
}
