import { hasRight, type Maker, makerOf, type Staff } from '#lib/access/actor.ts';
import { readStaff } from '#lib/access/identify.ts';
import { withinReachOf } from '#lib/access/keeper.ts';
import type { DeskState } from '#lib/cash/desk/read.ts';
import { all } from '#lib/table/expression.ts';
import type { Refused } from '#lib/trade/refused/record.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';

type Named = Pick<SaleInput, 'creator_id' | 'sold_at'>;

/** Selling, and telling of a sale that another has made. */
const SELL = 'company.trade.sale.store';
const TELL_OF_ANOTHER = 'company.trade.sale.creator';

/**
 * Reads who has sold: the caller, or whom a late sale names; undefined if there is no such user in the
 * family, or a key that has expired. Two round trips if that is another.
 */
export async function readSeller(
  actor: Staff,
  { creator_id }: Named,
  at: Instant,
): Promise<Staff | undefined> {
  if (creator_id === null || creator_id === actor.id) return actor;
  return readStaff(actor.home, creator_id, at);
}

interface Circumstances {
  readonly seller: Staff | undefined;
  readonly desk: DeskState;
  readonly waiting: Refused | undefined;
}

/**
 * Judges who has sold: a user to whom the desk is open and who may sell, and if that is another than the
 * caller, by their right to say so. Answers with who makes the sale. Part 4, 4.4, 2.
 */
export function checkSeller(
  actor: Staff,
  { creator_id, sold_at }: Named,
  { seller, desk, waiting }: Circumstances,
  problems: Problems,
): Maker {
  const maker = makerOf(actor);
  if (creator_id === null) return maker;
  if (sold_at === null) problems.add('creator_id', 'sale.creator_not_late');
  if (seller === actor) return maker;
  // Who has sent it before may be said to have sold it, by whoever tries it again.
  if (creator_id === waiting?.sent_by) return { ...maker, creator_id };
  if (!hasRight(actor, TELL_OF_ANOTHER)) problems.add('creator_id', 'sale.creator_forbidden');
  const mayHaveSold = seller && hasRight(seller, SELL) && canReach(seller, desk);
  if (!mayHaveSold) problems.unless('cashbox_id').add('creator_id', 'validation.not_found');
  return { ...maker, creator_id };
}

function canReach(seller: Staff, { id, company_id }: DeskState): boolean {
  return all(withinReachOf(seller, seller.cashDesks)).matches({ id, company_id });
}
