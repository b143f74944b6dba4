import type { Staff } from '#lib/access/actor.ts';
import { amountTold } from '#lib/trade/refused/amount.ts';
import { keepRefusedAgain } from '#lib/trade/refused/keep.ts';
import type { Refused } from '#lib/trade/refused/record.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { KeptRefusal, type Refusal } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** A refusal of a sale, and the body that was refused. */
interface Refusing {
  readonly refusal: Refusal;
  /** As it was sent; undefined if it is one that is kept. */
  readonly sent?: unknown;
  readonly isRetry?: true;
  readonly at: Instant;
}

/** Tells refusals for which a sale is kept: of those to be sent again nothing is known. Part 4, 4.4, 5. */
export function isKept({ status }: Pick<Refusal, 'status'>): boolean {
  return status !== 409 && status !== 503;
}

/** Keeps a sale that waits and was refused again, and gives the refusal that says so. */
export async function keepIfWaiting(
  actor: Staff,
  input: SaleInput,
  waiting: Refused | undefined,
  { refusal, sent, isRetry, at }: Refusing,
): Promise<Refusal> {
  if (!waiting || !isKept(refusal)) return refusal;
  const amount = await amountTold(actor.home, waiting.company_id, input);
  const sold_at = input.sold_at ?? waiting.sold_at;
  const seller = isRetry ? {} : { creator_id: input.creator_id ?? actor.id, sent_by: actor.id };
  await keepRefusedAgain(actor.home, waiting, { ...seller, amount, sold_at, sent }, { refusal, at });
  return new KeptRefusal(refusal, waiting.id);
}
