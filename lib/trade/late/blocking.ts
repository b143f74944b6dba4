import type { Staff } from '#lib/access/actor.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { readSettledSaleKey } from '#lib/trade/sale/key.ts';
import { findKnown, replay, type SaleOutcome } from '#lib/trade/till/known.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** How long after its blocking a family may still send what it sold before. Part 4, 4.4, 4. */
const GRACE_MS = 72 * 3_600_000;

/**
 * Requires that the caller's family may still sell this, or has: then it is told as it is, with the
 * receipt that it lacked. 400 for what a deleted company sells, and a blocked one since its blocking or too
 * long ago. Part 4, 4.4, 4.
 */
export async function requireOpen(
  actor: Staff,
  input: SaleInput,
  at: Instant,
): Promise<SaleOutcome | undefined> {
  if (isOpen(actor, input, at)) return undefined;
  const { sale } = await findKnown(actor, input, readSettledSaleKey);
  if (!sale) throw refuse('auth.company_inactive');
  return replay(actor, sale, input, at);
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
