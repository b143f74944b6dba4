import type { Staff } from '#lib/auth/actor.ts';
import {
  deskRefusal,
  findSaleByKey,
  readSettledClaim,
  replaySale,
  type SaleOutcome,
  type SaleRequest,
} from '#lib/trade/checkout/idempotent-sale.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** Period after its blocking in which a family may still upload earlier sales. Part 4, 4.4, 4. */
const GRACE_MS = 72 * 3_600_000;

/**
 * Requires that the caller's family may still make this sale, or has made it: an existing sale is returned,
 * with its missing fiscal receipt added. 400 for a sale of a deleted company, and for one of a blocked
 * company made since its blocking or uploaded too late. Part 4, 4.4, 4.
 */
export async function requireNotBlocked(
  actor: Staff,
  input: SaleInput,
  requested: SaleRequest,
  at: Instant,
): Promise<SaleOutcome | undefined> {
  if (maySell(actor, input, at)) return undefined;
  const { desk, sale } = await findSaleByKey(actor, requested, readSettledClaim);
  if (!desk) throw deskRefusal();
  if (!sale) throw badRequest('auth.company_inactive');
  return replaySale(actor, sale, input, at);
}

/**
 * Requires that a company may retry this sale: a blocked one may retry sales that it could still upload, with
 * a body received in time. 400 otherwise. Part 4, 4.4, 5.
 */
export function requireRetriable(
  { isCompanyActive, blockAt }: Pick<Staff, 'isCompanyActive' | 'blockAt'>,
  { sold_at, created_at }: Pick<VersionedRefusedSale, 'sold_at' | 'created_at'>,
  { came_at, at }: { readonly came_at: Instant; readonly at: Instant },
): void {
  if (!isCompanyActive) throw badRequest('auth.company_inactive');
  if (blockAt === undefined || at < blockAt) return;
  const hasCome = Math.max(created_at, came_at) <= blockAt + GRACE_MS;
  if (sold_at >= blockAt || !hasCome) throw badRequest('auth.company_inactive');
}

/**
 * Returns whether a company may make a sale now: a blocked one may still upload those of before. Part 4, 4.4,
 * 4.
 */
export function maySell(
  { isCompanyActive, blockAt }: Pick<Staff, 'isCompanyActive' | 'blockAt'>,
  { sold_at }: Pick<SaleInput, 'sold_at'>,
  at: Instant,
): boolean {
  if (!isCompanyActive) return false;
  if (blockAt === undefined || at < blockAt) return true;
  return sold_at !== null && sold_at < blockAt && at <= blockAt + GRACE_MS;
}
