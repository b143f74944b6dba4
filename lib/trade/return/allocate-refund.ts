import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allocateInOrder } from '#lib/values/allocation.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Original } from './original.ts';
import { type Standing, saleRemainder } from './purse.ts';

/*
 * The value of returned goods first pays for the goods of an exchange. Then it closes the sale's debt, and
 * after that the debts of the sales that its goods were exchanged from, nearest first. Only the rest is paid
 * out, and never more than was received.
 *
 * A sale has goods (the value not yet returned), a debt, and money of its own: received, less paid out and
 * passed on. An exchange passes goods on at full value, but money only as far as available. The goods of a
 * sale may thus cover the debt of an earlier one. Therefore:
 *
 * - Every debt closes. A debt is covered by the goods of its sale, and by the excess of each later sale of
 *   the chain over its own debts. The cover is never less than the debt: a return closes the nearest debt,
 *   and so lowers both by the same amount. When all goods are returned, the cover is zero, so no debt is
 *   left.
 * - Every minor unit is refunded. If goods close a debt of an earlier sale, their own may be left with more
 *   money than goods: the excess moves up to the earlier one. A return that finds no debt left, but too
 *   little money in its own sale, takes the excess of the earlier ones. All later sales of the chain can
 *   reach it, so no money is withheld.
 *
 * A sale paid with bonuses has that much less money: its last goods are worth more than is paid out. The part
 * of a debt that is written off closes as if it were still owed, after the outstanding one, so that the same
 * holds. Contract 8; Contract 9.25; Part 5, 5A.7, 4.
 */

/** Allocation of the value of returned goods. */
export interface RefundAllocation {
  readonly value: MinorUnits;
  /** Value of an exchange's goods, paid as far as possible. */
  readonly goods: MinorUnits;
  /** Part used to pay for an exchange's goods. */
  readonly exchanged: MinorUnits;
  /** Received money passed on to the new sale along with it. */
  readonly passedOn: MinorUnits;
  /** Part used to close outstanding debt of the sale. */
  readonly closed: MinorUnits;
  /** Part used to close debt of the sale that is written off. */
  readonly writtenOff: MinorUnits;
  /** Part paid out. */
  readonly due: MinorUnits;
  /** Shares of the sales that it was exchanged from, nearest first. */
  readonly origins: readonly OriginShare[];
}

/**
 * Debt of an earlier sale that a return closes, and the money that it moves there; negative if taken from
 * there.
 */
interface OriginShare {
  readonly sale_id: number;
  readonly closed: MinorUnits;
  readonly writtenOff: MinorUnits;
  readonly money: MinorUnits;
}

/** Allocates the value of returned goods; an exchange's goods are paid first. */
export function allocateRefund(
  { sale, debt, origins }: Pick<Original, 'sale' | 'debt' | 'origins'>,
  value: MinorUnits,
  goods = 0,
): RefundAllocation {
  const own = saleRemainder(sale, debt);
  const earlier = origins.map((origin) => saleRemainder(origin.sale, origin.debt));
  const exchanged = Math.min(value, goods);
  const passedOn = Math.min(exchanged, own.money);
  const [closing = 0, ...closings] = allocateInOrder(
    value - exchanged,
    [own, ...earlier].map(({ debt: owed }) => owed),
  );
  const rest = closings.reduce((left, part) => left - part, value - exchanged - closing);
  const over = earlier.reduce((sum, each) => sum + Math.max(0, each.money - each.goods), 0);
  const due = Math.min(rest, own.money - passedOn + over);

  const left = { goods: own.goods - value, debt: own.debt - closing, money: own.money - passedOn - due };
  const moved = moveUp([
    { ...left, least: 0 },
    ...earlier.map((each, index) => ({
      ...each,
      debt: each.debt - (closings[index] ?? 0),
      least: each.money,
    })),
  ]);
  return {
    ...{ value, goods, exchanged, passedOn, ...splitClosing(debt, closing), due },
    origins: origins.map((origin, index) => ({
      sale_id: origin.sale.id,
      ...splitClosing(origin.debt, closings[index] ?? 0),
      money: moved[index] ?? 0,
    })),
  };
}

/** Splits the closed part of a debt: outstanding first, then written off. Part 5, 5A.7, 4. */
function splitClosing(debt: StoredDebt | undefined, closing: MinorUnits) {
  const closed = Math.min(closing, debt ? remainderOf(debt) : 0);
  return { closed, writtenOff: closing - closed };
}

/**
 * Computes a sale after an allocation's money has left it, and money of earlier sales has come down to it.
 */
export function subtractAllocation(sale: Sale, { passedOn, due, origins }: RefundAllocation): Sale {
  const left = {
    ...sale,
    paid_out_amount: sale.paid_out_amount + due,
    passed_on_amount: sale.passed_on_amount + passedOn,
  };
  return addPassedMoney(left, -origins.reduce((sum, { money }) => sum + money, 0));
}

/**
 * Computes a sale after another has passed money on to it; negative `money` is passed on by the sale itself.
 */
export function addPassedMoney(sale: Sale, money: MinorUnits): Sale {
  const { received_amount, passed_on_amount } = sale;
  return money < 0
    ? { ...sale, passed_on_amount: passed_on_amount - money }
    : { ...sale, received_amount: received_amount + money };
}

/**
 * Computes the money gained by each earlier sale. The excess of money over goods of a sale without debt moves
 * up to the sale before it, and money that the first one lacks comes down from the excess of the others. Each
 * keeps at least `least` of the money that covers its goods.
 */
function moveUp(path: readonly (Standing & { readonly least: MinorUnits })[]): MinorUnits[] {
  let carried = 0;
  const gains = path.map(({ goods, debt, money, least }, index) => {
    const available = money + carried;
    const isLast = index === path.length - 1;
    const retained = isLast || debt > 0 ? available : Math.min(Math.max(least, available), goods);
    carried = available - retained;
    return retained - money;
  });
  return gains.slice(1);
}
