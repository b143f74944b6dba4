import { NO_BONUSES, waitingSum } from '#lib/clients/bonuses.ts';
import { CLIENT_SUMS, ClientSums, clientSumsKey, debtIn } from '#lib/clients/client-sums.ts';
import { Currency } from '#lib/values/money.ts';
import type { Cheques } from '../cheques/sales.ts';
import type { Books } from '../frame/books.ts';
import { type Owners, ownersAtRest } from '../frame/owners.ts';
import type { DebtSums } from './debts.ts';

/** What clients should have, by their debts, payments and cheques. */
interface Expected extends DebtSums {
  readonly bonuses: Cheques['bonuses'];
}

/** Checks that each client owes what is left of their debts, and has the bonuses that cheques left. */
export async function checkClients(books: Books, before: Owners, expected: Expected): Promise<void> {
  for (const [id, sums] of await ownersAtRest(books, 'clients', CLIENT_SUMS, before)) {
    const subject = { book: 'clients', subject: `client ${id}`, keys: [clientSumsKey(books.home, id)] };
    books.report(subject, clientFaults(expected, id, sums));
  }
}

function clientFaults({ left, lastPaid, bonuses }: Expected, id: number, sums: Owned): string[] {
  const has = ClientSums.parse(sums);
  const [says, paid] = [has.debt_paid_at ?? 0, lastPaid.get(id) ?? 0];
  const unlike = Currency.options.flatMap((currency) => {
    const [owes, debt] = [sums[debtIn(currency)], left.get(`${id} ${currency}`) ?? 0];
    const { spendable, waiting } = has.bonuses[currency] ?? NO_BONUSES;
    const all = spendable + waitingSum({ spendable, waiting });
    const earned = bonuses.get(`${id} ${currency}`) ?? 0;
    return [
      ...(owes === debt ? [] : [`owes ${owes} ${currency}, what is left of debts is ${debt}`]),
      ...(all === earned ? [] : [`has bonuses of ${all} ${currency}, cheques leave ${earned}`]),
    ];
  });
  return [...(says === paid ? [] : [`paid last at ${says}, by the payments at ${paid}`]), ...unlike];
}

type Owned = Readonly<Record<string, unknown>>;
