import { withinReachOf } from '#lib/auth/account-manager.ts';
import { hasRight, type Maker, makerOf, type Staff } from '#lib/auth/actor.ts';
import { readStaff } from '#lib/auth/identify.ts';
import type { ReachedDesk } from '#lib/cash/desk/read.ts';
import { all } from '#lib/table/expression.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

type Named = Pick<SaleInput, 'creator_id' | 'sold_at'>;

/** Selling, and telling of a sale that another has made. */
export const RIGHT_TO_SELL = 'company.trade.sale.store';
const TELL_OF_ANOTHER = 'company.trade.sale.creator';

/**
 * Reads who has sold: the caller, or whom a late sale names; undefined if there is no such user in the
 * family, or a key that has expired. Two round trips if that is another.
 */
export async function readSeller(
  actor: Staff,
  { creator_id }: Pick<Named, 'creator_id'>,
  at: Instant,
): Promise<Staff | undefined> {
  if (creator_id === null || creator_id === actor.id) return actor;
  return readStaff(actor.tenant, creator_id, at);
}

interface Circumstances {
  readonly seller: Staff | undefined;
  readonly desk: ReachedDesk;
  /** Who sold what is retried: that stays, whoever they are by now. */
  readonly kept: number | undefined;
}

/**
 * Judges who has sold: a user to whom the desk is open and who may sell, and if that is another than the
 * caller, by their right to say so. Answers with who makes the sale. Part 4, 4.4, 2.
 */
export function checkSeller(
  actor: Staff,
  { creator_id, sold_at }: Named,
  { seller, desk, kept }: Circumstances,
  issues: ValidationIssues,
): Maker {
  const maker = makerOf(actor);
  if (creator_id === null) return maker;
  if (sold_at === null) issues.add('creator_id', 'sale.creator_not_late');
  if (seller === actor || creator_id === kept) return { ...maker, creator_id };
  if (!hasRight(actor, TELL_OF_ANOTHER)) issues.add('creator_id', 'sale.creator_forbidden');
  if (!mayHaveSold(seller, desk)) issues.unless('cashbox_id').add('creator_id', 'validation.not_found');
  return { ...maker, creator_id };
}

/**
 * Names who sold what is kept: whom its body names if its sender may say so, else its sender. A retry takes
 * that for granted.
 */
export async function sellerOfKept(
  actor: Staff,
  { creator_id }: Pick<Named, 'creator_id'>,
  desk: ReachedDesk,
  at: Instant,
): Promise<number> {
  if (creator_id === null || !hasRight(actor, TELL_OF_ANOTHER)) return actor.id;
  return mayHaveSold(await readSeller(actor, { creator_id }, at), desk) ? creator_id : actor.id;
}

function mayHaveSold(seller: Staff | undefined, { id, company_id }: ReachedDesk): boolean {
  if (!seller || !hasRight(seller, RIGHT_TO_SELL)) return false;
  return all(withinReachOf(seller, seller.cashDesks)).matches({ id, company_id });
}
