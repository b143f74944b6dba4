import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateInOrder } from '#lib/values/allocation.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Original } from './original.ts';
import { type Standing, saleRemainder } from './standing.ts';

/*
 * The value of returned goods first pays for the goods of an exchange. Then it closes the cheque's debt, and
 * after that the debts of the cheques that its goods were exchanged from, the nearest first. Only the rest is
 * paid out, and never more than came in.
 *
 * A cheque has goods (the value that has not come back), a debt, and money of its own: what came for it, less
 * what was paid out and passed on. An exchange passes goods on by their whole value, but money only as far as
 * there is some. So the goods of a cheque may stand for the debt of one before it. Therefore:
 *
 * - Every debt closes. What stands for a debt are the goods of its cheque, and whatever each cheque that came
 *   of it has over its own debts. That is never less than the debt: what comes back closes the nearest debt,
 *   and so lowers both by as much. When all goods are back, nothing stands for a debt, so none is left.
 * - Every cent comes back. If goods close a debt of an earlier cheque, their own may be left with more money
 *   than goods: what is over goes up to that earlier one. A return that meets no debt any more, but too
 *   little money in its own cheque, takes what the earlier ones have over. Every later cheque passes them,
 *   so nobody's money is withheld.
 *
 * A cheque that was paid with bonuses has that much less money: its last goods are worth more than is paid
 * out. Contract 8; Contract 9.25.
 */

/** How the value of returned goods is used. */
export interface RefundAllocation {
  readonly value: MinorUnits;
  /** The worth of an exchange's goods, of which it pays what it can. */
  readonly goods: MinorUnits;
  /** Paid with it: goods of an exchange. */
  readonly exchanged: MinorUnits;
  /** Received money that goes to the new cheque with it. */
  readonly passedOn: MinorUnits;
  /** Closed with it: debt of the cheque. */
  readonly closed: MinorUnits;
  /** Paid out of it. */
  readonly due: MinorUnits;
  /** What becomes of the cheques that it was exchanged from, in their order. */
  readonly origins: readonly OriginShare[];
}

/** What a return closes of an earlier cheque's debt, and the money that it gives it; below zero, takes. */
interface OriginShare {
  readonly sale_id: number;
  readonly closed: MinorUnits;
  readonly money: MinorUnits;
}

/** Allots the value of returned goods, of which an exchange's goods are paid first. */
export function allocateRefund(
  { sale, debt, origins }: Pick<Original, 'sale' | 'debt' | 'origins'>,
  value: MinorUnits,
  goods = 0,
): RefundAllocation {
  const own = saleRemainder(sale, debt);
  const earlier = origins.map((origin) => saleRemainder(origin.sale, origin.debt));
  const exchanged = Math.min(value, goods);
  const passedOn = Math.min(exchanged, own.money);
  const [closed = 0, ...closings] = allocateInOrder(
    value - exchanged,
    [own, ...earlier].map(({ debt: owed }) => owed),
  );
  const rest = closings.reduce((left, part) => left - part, value - exchanged - closed);
  const over = earlier.reduce((sum, each) => sum + Math.max(0, each.money - each.goods), 0);
  const due = Math.min(rest, own.money - passedOn + over);

  const left = { goods: own.goods - value, debt: own.debt - closed, money: own.money - passedOn - due };
  const moved = moveUp([
    { ...left, least: 0 },
    ...earlier.map((each, index) => ({
      ...each,
      debt: each.debt - (closings[index] ?? 0),
      least: each.money,
    })),
  ]);
  return {
    ...{ value, goods, exchanged, passedOn, closed, due },
    origins: origins.map((origin, index) => ({
      sale_id: origin.sale.id,
      closed: closings[index] ?? 0,
      money: moved[index] ?? 0,
    })),
  };
}

/** Gives a cheque after the money of an allotment has left it, and has come down from earlier ones. */
export function subtractAllocation(sale: Sale, { passedOn, due, origins }: RefundAllocation): Sale {
  const left = {
    ...sale,
    paid_out_amount: sale.paid_out_amount + due,
    passed_on_amount: sale.passed_on_amount + passedOn,
  };
  return addPassedMoney(left, -origins.reduce((sum, { money }) => sum + money, 0));
}

/** Gives a cheque after another has passed money on to it; below zero, after it has passed it on itself. */
export function addPassedMoney(sale: Sale, money: MinorUnits): Sale {
  const { received_amount, passed_on_amount } = sale;
  return money < 0
    ? { ...sale, passed_on_amount: passed_on_amount - money }
    : { ...sale, received_amount: received_amount + money };
}

/**
 * Computes what each earlier cheque gets. What a cheque without debt has beyond its goods goes up to the
 * cheque before it, and what the first one lacks comes down from what the others have over. Of what stands
 * for its goods each keeps at least `least`.
 */
function moveUp(path: readonly (Standing & { readonly least: MinorUnits })[]): MinorUnits[] {
  let coming = 0;
  const gains = path.map(({ goods, debt, money, least }, index) => {
    const has = money + coming;
    const isLast = index === path.length - 1;
    const keeps = isLast || debt > 0 ? has : Math.min(Math.max(least, has), goods);
    coming = has - keeps;
    return keeps - money;
  });
  return gains.slice(1);
}
