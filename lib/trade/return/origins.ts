import { chargeWrites } from '#lib/clients/client-sums.ts';
import { closingWrites } from '#lib/clients/debt/change.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { unchangedSale } from '#lib/trade/sale/write.ts';
import type { Cents } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { OriginShare } from './allot.ts';
import type { EarlierCheque, Original } from './original.ts';

type Shared = EarlierCheque & Pick<OriginShare, 'closed' | 'money'>;

/**
 * Builds the writes of a return to the cheques that its own was exchanged from: their debts, their money, and
 * their clients if they are others. What it only rests on, it requires to be as it was read.
 */
export function originWrites(
  home: Home,
  { sale: { client_id }, origins }: Original,
  shares: readonly OriginShare[],
  at: Instant,
): Write[] {
  const theirs = origins.map((origin, index) => ({ ...origin, closed: 0, money: 0, ...shares[index] }));
  const others = theirs.filter(({ debt, closed }) => debt.client_id !== client_id && closed > 0);
  return [
    ...theirs.flatMap((origin) => [
      ...moneyWrites(home, origin, at),
      ...closingWrites(home, origin.debt, origin.closed, at),
    ]),
    ...[...Map.groupBy(others, ({ debt }) => debt.client_id).values()].flatMap((owed) =>
      debtorWrites(home, owed, at),
    ),
  ];
}

/** Gives a cheque after another has passed money on to it; below zero, after it has passed it on itself. */
export function withPassed(sale: Sale, money: Cents): Sale {
  const { received_amount, passed_on_amount } = sale;
  return money < 0
    ? { ...sale, passed_on_amount: passed_on_amount - money }
    : { ...sale, received_amount: received_amount + money };
}

function moneyWrites(home: Home, { sale, money }: Shared, at: Instant): Write[] {
  if (money === 0) return [unchangedSale(home, sale)];
  return documentReplacement(sales, home, sale, { ...withPassed(sale, money), updated_at: at });
}

/** Builds the writes to one client, some of whose debts are closed. */
function debtorWrites(home: Home, owed: readonly Shared[], at: Instant): Write[] {
  const [first] = owed;
  if (!first?.clientSums) return [];
  const debt = -owed.reduce((sum, { closed }) => sum + closed, 0);
  const charge = { spent: 0, debt, currency: first.debt.currency };
  return chargeWrites({ home, id: first.debt.client_id }, first.clientSums, charge, dayOf(at));
}
