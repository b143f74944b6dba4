import type { Staff } from '#lib/auth/actor.ts';
import {
  type AskedSale,
  deskRefusal,
  findSaleByKey,
  readDoubtedClaim,
  replaySale,
  type SaleOutcome,
} from '#lib/trade/checkout/idempotent-sale.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** How long after its blocking a family may still send what it sold before. Part 4, 4.4, 4. */
const GRACE_MS = 72 * 3_600_000;

/**
 * Requires that the caller's family may still sell this, or has: then it is told as it is, with the
 * receipt that it lacked. 400 for what a deleted company sells, and a blocked one since its blocking or too
 * long ago. Part 4, 4.4, 4.
 */
export async function requireNotBlocked(
  actor: Staff,
  input: SaleInput,
  asked: AskedSale,
  at: Instant,
): Promise<SaleOutcome | undefined> {
  if (isOpen(actor, input, at)) return undefined;
  const { desk, sale } = await findSaleByKey(actor, asked, readDoubtedClaim);
  if (!desk) throw deskRefusal();
  if (!sale) throw badRequest('auth.company_inactive');
  return replaySale(actor, sale, input, at);
}

/**
 * Requires that a company may retry this: a blocked one what its batch would take, by a body that came in
 * time. 400 otherwise. Part 4, 4.4, 5.
 */
export function requireRetriable(
  { isCompanyActive, blockAt }: Staff,
  { sold_at, created_at }: Pick<VersionedRefusedSale, 'sold_at' | 'created_at'>,
  { came_at, at }: { readonly came_at: Instant; readonly at: Instant },
): void {
  if (!isCompanyActive) throw badRequest('auth.company_inactive');
  if (blockAt === undefined || at < blockAt) return;
  const hasCome = Math.max(created_at, came_at) <= blockAt + GRACE_MS;
  if (sold_at >= blockAt || !hasCome) throw badRequest('auth.company_inactive');
}

function isOpen(
  { isCompanyActive, blockAt }: Staff,
  { sold_at }: Pick<SaleInput, 'sold_at'>,
  at: Instant,
): boolean {
  if (!isCompanyActive) return false;
  if (blockAt === undefined || at < blockAt) return true;
  return sold_at !== null && sold_at < blockAt && at <= blockAt + GRACE_MS;
}
