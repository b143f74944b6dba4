import { withinReachOf } from '#lib/auth/account-manager.ts';
import { hasRight, type Maker, makerOf, type Staff } from '#lib/auth/actor.ts';
import { readStaff } from '#lib/auth/identify.ts';
import type { ReachedDesk } from '#lib/cash/desk/read.ts';
import { all } from '#lib/table/expression.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

type Named = Pick<SaleInput, 'creator_id' | 'sold_at'>;

/** Rights to sell, and to name another user as the seller. */
export const RIGHT_TO_SELL = 'company.trade.sale.store';
const NAME_SELLER = 'company.trade.sale.creator';

/**
 * Reads the seller: the caller, or the user named by an offline sale; undefined if the family has no such
 * user, or their key has expired. Two round trips for another user.
 */
export async function readSeller(
  actor: Staff,
  { creator_id }: Pick<Named, 'creator_id'>,
  at: Instant,
): Promise<Staff | undefined> {
  if (creator_id === null || creator_id === actor.id) return actor;
  return readStaff(actor.tenant, creator_id, at);
}

/** Facts about the seller. */
interface SellerFacts {
  readonly seller: Staff | undefined;
  readonly desk: ReachedDesk;
  /** Seller of a retried sale, who stays. */
  readonly kept: number | undefined;
}

/**
 * Validates the seller: a user who may sell at the desk and, if not the caller, whom the caller may name.
 * Returns the maker of the sale. Part 4, 4.4, 2.
 */
export function checkSeller(
  actor: Staff,
  { creator_id, sold_at }: Named,
  { seller, desk, kept }: SellerFacts,
  issues: ValidationIssues,
): Maker {
  const maker = makerOf(actor);
  if (creator_id === null) return maker;
  if (sold_at === null) issues.add('creator_id', 'sale.creator_not_late');
  if (seller === actor || creator_id === kept) return { ...maker, creator_id };
  if (!hasRight(actor, NAME_SELLER))
    issues.add('creator_id', { key: 'sale.creator_forbidden', with: { right: NAME_SELLER } });
  if (!mayHaveSold(seller, desk)) issues.unless('cashbox_id').add('creator_id', 'validation.not_found');
  return { ...maker, creator_id };
}

/**
 * Returns the seller of a refused sale: the user named by its body if its sender may name them, otherwise the
 * sender. A retry trusts this.
 */
export async function sellerOfKept(
  actor: Staff,
  { creator_id }: Pick<Named, 'creator_id'>,
  desk: ReachedDesk,
  at: Instant,
): Promise<number> {
  if (creator_id === null || !hasRight(actor, NAME_SELLER)) return actor.id;
  return mayHaveSold(await readSeller(actor, { creator_id }, at), desk) ? creator_id : actor.id;
}

function mayHaveSold(seller: Staff | undefined, { id, company_id }: ReachedDesk): boolean {
  if (!seller || !hasRight(seller, RIGHT_TO_SELL)) return false;
  return all(withinReachOf(seller, seller.cashDesks)).matches({ id, company_id });
}
