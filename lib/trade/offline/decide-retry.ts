import * as z from 'zod';
import { hasRight, requireRight, type Staff } from '#lib/auth/actor.ts';
import { RIGHT_TO_SELL } from '#lib/trade/checkout/seller.ts';
import { findBody } from '#lib/trade/refused/body.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { invalid } from '#lib/values/api-error.ts';
import { parseStrictBody } from '#lib/values/strict-body.ts';
import { tellAs } from '#lib/values/tell-as.ts';
import { type Instant, renderInstant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { requireRetriable } from './blocking.ts';

/** Options of a retry, besides the body. */
const RetryOptions = z.object({
  /** The sale is created as of now, but validated by its time of sale. */
  as_of_now: z.boolean().default(false),
  /** Its prices, discounts and change are accepted as sent. */
  accept_prices: z.boolean().default(false),
});

/** Changed body of the refused sale: complete, except for the fixed fields. */
const ChangedBody = SaleInput.partial({ key: true, cashbox_id: true, sold_at: true }).extend(
  RetryOptions.shape,
);

/** Input to retry a refused sale: a changed body, or none. */
export const RetryInput = tellAs(
  SaleInput.partial().extend(RetryOptions.shape),
  z.union([RetryOptions, ChangedBody]),
);

const RetryBody = RetryOptions.loose();

const ACCEPT = 'company.trade.sale.refused.accept-prices';

/** Data that a retry is decided by, as read. */
export interface RetryFacts {
  readonly refused: VersionedRefusedSale;
  /** Its newest bodies, by their numbers. */
  readonly bodies: ReadonlyMap<number, unknown>;
}

/** Sale to try, and the body as sent if it is a changed one. */
interface RetryPlan {
  readonly input: SaleInput;
  readonly changed: unknown;
  readonly isAsOfNow: boolean;
  readonly areAccepted: boolean;
}

/**
 * Decides a retry of a refused sale: with a changed body or its newest one. 403 and 422 without the rights
 * that it needs, 400 to a blocked company, 422 on a fixed field that is changed. Part 4, 4.4, 5.
 */
export function decideRetry(
  actor: Staff,
  sent: unknown,
  { refused, bodies }: RetryFacts,
  at: Instant,
): RetryPlan {
  const { as_of_now: isAsOfNow, accept_prices: areAccepted, ...body } = RetryBody.parse(sent ?? {});
  if (areAccepted && !hasRight(actor, ACCEPT)) {
    throw invalid({ accept_prices: { key: 'refused_sale.accept_forbidden', with: { right: ACCEPT } } });
  }
  const changed = Object.keys(body).length > 0 ? body : undefined;
  // A user with only the right to retry may sell the till's goods, and no others.
  if (changed !== undefined) requireRight(actor, RIGHT_TO_SELL);
  const attempted = changed === undefined ? refused.bodies.at(-1) : findBody(refused, changed);
  requireRetriable(actor, refused, { came_at: attempted?.came_at ?? at, at });
  const input = inputOf(refused, changed ?? [...bodies.values()].at(-1));
  return { input, changed, isAsOfNow, areAccepted };
}

/** Parses a body as that of a refused sale, completed with its fixed fields. 422 on changes of these. */
function inputOf(refused: VersionedRefusedSale, body: unknown): SaleInput {
  const { key, cashbox_id, creator_id } = refused;
  const fixed = { key, cashbox_id, sold_at: renderInstant(refused.sold_at) };
  const input = parseStrictBody(SaleInput, { ...fixed, ...Object(body) });
  requireSame(input, refused);
  return { ...input, creator_id: input.creator_id ?? creator_id };
}

function requireSame(input: SaleInput, refused: VersionedRefusedSale): void {
  const issues = new ValidationIssues();
  for (const field of ['key', 'cashbox_id', 'sold_at'] as const) {
    if (input[field] !== refused[field]) issues.add(field, 'refused_sale.keeps_field');
  }
  issues.throwIfAny();
}
