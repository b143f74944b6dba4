import { isDeepStrictEqual } from 'node:util';
import { CLIENT_SUMS, clientSumsKey, debtIn } from '#lib/clients/client-sums.ts';
import { partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { walk } from '#lib/table/walk.ts';
import { Currency } from '#lib/values/money.ts';
import { type Audit, addTo, itemsAt, type SumsItems } from './audit.ts';

/** Reads clients' sums before their debts. A client whose sum changes meanwhile is not judged. */
export async function readClients({ home }: Audit): Promise<SumsItems> {
  const ids: number[] = [];
  for await (const items of walk(partition(CLIENT_SUMS.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  const items = await getItems(ids.map((id) => clientSumsKey(home, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}

/** Checks that each client owes as much as is left of the client's debts. */
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
  for (const currency of Currency.options) {
    const owes = sums[debtIn(currency)];
    const left = audit.debtors.get(`${id} ${currency}`) ?? 0;
    if (owes === left) continue;
    audit.violations.push({
      book: 'clients',
      subject: `client ${id}`,
      what: `owes ${owes} ${currency}, what is left of debts is ${left}`,
      history: itemsAt(clientSumsKey(audit.home, id)),
    });
  }
}
