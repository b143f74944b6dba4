import { atMost, divideInto, withEarnings, withoutMoney } from '#lib/clients/bonus-share.ts';
import { type Earning, NO_BONUSES, waitingSum } from '#lib/clients/bonuses.ts';
import { bonusesIn } from '#lib/clients/client-balances.ts';
import type { StoredDebt } from '#lib/clients/debt/record.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { addPassedMoney, type RefundAllocation, subtractAllocation } from './allocate-refund.ts';
import type { Original } from './original.ts';

/*
 * Bonuses follow the money that earned them, in the same proportions. In a sale of the same client they stay
 * from then on. Those of money that is paid out, or moved to another client's sale, are taken back. An even
 * exchange thus leaves the client's bonuses unchanged; and once all goods are returned, nothing is left of
 * the bonuses that they earned. Contract 9.79.
 */

/** Bonuses leaving a client's sales with the money, by destination. */
export interface BonusTransfers {
  /** To the new sale of an exchange. */
  readonly passedOn: readonly Earning[];
  /** To the sales that this one was exchanged from, nearest first. */
  readonly origins: readonly (readonly Earning[])[];
  /** Taken back from the client, as far as available. */
  readonly takenBack: readonly Earning[];
}

/** Computes the bonus transfers of a return, or of an exchange for a sale of the client `heir`. */
export function moveBonuses(
  { sale, debt, origins, clientSums }: Pick<Original, 'sale' | 'debt' | 'origins' | 'clientSums'>,
  allocation: RefundAllocation,
  { heir, at }: { readonly heir: number | null; readonly at: Instant },
): BonusTransfers {
  const earlier = origins.map((origin, index) => {
    const money = allocation.origins[index]?.money ?? 0;
    return { ...origin, money, isSameClient: origin.sale.client_id === sale.client_id };
  });
  const going = [
    ...splitByMoney(subtractAllocation(sale, allocation), debt).going,
    ...earlier.flatMap((each) =>
      each.isSameClient ? splitByMoney(addPassedMoney(each.sale, each.money), each.debt).going : [],
    ),
  ];
  const ways = [{ isSameClient: heir === sale.client_id, money: allocation.passedOn }, ...earlier];
  const incoming = ways.map(({ isSameClient, money }) => ({ isSameClient, money: Math.max(0, money) }));
  const others = incoming.filter(({ isSameClient }) => !isSameClient);
  const paidOut = others.reduce((sum, { money }) => sum + money, allocation.due);
  const all = totalAmount(going);
  const [, ...kept] = allocateByWeight(all, weightsOf(incoming, paidOut, allocation));
  const lost = kept.reduce((left, part) => left - part, all);
  const [out = [], passedOn = [], ...back] = divideInto([lost, ...kept], going);
  const balance = clientSums ? bonusesIn(clientSums, sale.currency, dayOf(at)) : NO_BONUSES;
  return { passedOn, origins: back, takenBack: atMost(balance.spendable + waitingSum(balance), out) };
}

/**
 * Weighs the destinations of bonuses: taken back, or kept by each sale of the client that gets money. An even
 * exchange changes nothing, even if a refund has left no money to move.
 */
function weightsOf(
  incoming: readonly { readonly isSameClient: boolean; readonly money: MinorUnits }[],
  paidOut: MinorUnits,
  { exchanged, value }: RefundAllocation,
): MinorUnits[] {
  const weights = [paidOut, ...incoming.map(({ isSameClient, money }) => (isSameClient ? money : 0))];
  const [heir] = incoming;
  const isEven = heir?.isSameClient === true && exchanged > 0 && exchanged === value;
  if (!isEven || weights.some((weight) => weight > 0)) return weights;
  return weights.map((_, index) => (index === 1 ? 1 : 0));
}

/** Returns a sale whose money has changed with its remaining and received bonuses. */
export function applyBonusTransfers(
  after: Sale,
  debt: StoredDebt | undefined,
  gained: readonly Earning[] = [],
): Sale {
  return { ...after, bonus_shares: withEarnings(splitByMoney(after, debt).shares, gained) };
}

function splitByMoney(after: Sale, debt: StoredDebt | undefined) {
  return withoutMoney(after.bonus_shares, {
    came: after.received_amount + (debt?.repaid_amount ?? 0),
    gone: after.paid_out_amount + after.passed_on_amount,
  });
}
