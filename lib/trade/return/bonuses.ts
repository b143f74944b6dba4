import { atMost, divideInto, withEarnings, withoutMoney } from '#lib/clients/bonus-share.ts';
import { type Earning, NO_BONUSES, waitingSum } from '#lib/clients/bonuses.ts';
import { bonusesIn } from '#lib/clients/client-balances.ts';
import type { StoredDebt } from '#lib/clients/debt/record.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import { totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { addPassedMoney, type RefundAllocation, subtractAllocation } from './allocate-refund.ts';
import type { Original } from './original.ts';

/*
 * Bonuses go where the money goes that earned them, divided as that is. In a cheque of the same client they
 * stand from then on. What goes with money that is paid out, or into somebody else's cheque, is taken back.
 * So an even exchange leaves the client what they had; and once all goods are back, nothing is left of what
 * these had earned. Contract 9.79.
 */

/** Bonuses that leave a client's cheques with the money, by what they go to. */
export interface BonusTransfers {
  /** To the new cheque of an exchange. */
  readonly passedOn: readonly Earning[];
  /** To the cheques that this one was exchanged from, in their order. */
  readonly origins: readonly (readonly Earning[])[];
  /** From the client, as far as they have them. */
  readonly takenBack: readonly Earning[];
}

/** Moves the bonuses of a return, or of an exchange for a cheque of the client `heir`. */
export function moveBonuses(
  { sale, debt, origins, clientSums }: Pick<Original, 'sale' | 'debt' | 'origins' | 'clientSums'>,
  allotment: RefundAllocation,
  { heir, at }: { readonly heir: number | null; readonly at: Instant },
): BonusTransfers {
  const earlier = origins.map((origin, index) => {
    const money = allotment.origins[index]?.money ?? 0;
    return { ...origin, money, isTheirs: origin.sale.client_id === sale.client_id };
  });
  const going = [
    ...splitByMoney(subtractAllocation(sale, allotment), debt).going,
    ...earlier.flatMap((each) =>
      each.isTheirs ? splitByMoney(addPassedMoney(each.sale, each.money), each.debt).going : [],
    ),
  ];
  const ways = [{ isTheirs: heir === sale.client_id, money: allotment.passedOn }, ...earlier];
  const coming = ways.map(({ isTheirs, money }) => ({ isTheirs, money: Math.max(0, money) }));
  const others = coming.filter(({ isTheirs }) => !isTheirs);
  const paidOut = others.reduce((sum, { money }) => sum + money, allotment.due);
  const weights = coming.map(({ isTheirs, money }) => (isTheirs ? money : 0));
  const all = totalAmount(going);
  const [, ...kept] = allocateByWeight(all, [paidOut, ...weights]);
  const lost = kept.reduce((left, part) => left - part, all);
  const [out = [], passedOn = [], ...back] = divideInto([lost, ...kept], going);
  const has = clientSums ? bonusesIn(clientSums, sale.currency, dayOf(at)) : NO_BONUSES;
  return { passedOn, origins: back, takenBack: atMost(has.spendable + waitingSum(has), out) };
}

/** Gives a cheque whose money has changed with the bonuses that are left in it, and those that came to it. */
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
