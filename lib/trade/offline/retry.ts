import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { RIGHT_TO_SELL } from '#lib/trade/checkout/seller.ts';
import { findBody, newestFitting, readByNumber } from '#lib/trade/refused/body.ts';
import { getRefusedToChange } from '#lib/trade/refused/desk.ts';
import type { RefusedSale, RefusedSaleContext, VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { get, requireWaiting, showRefused } from '#lib/trade/refused/refused.ts';
import { refusalEnd } from '#lib/trade/refused/store.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { forbidden, invalid } from '#lib/values/api-error.ts';
import { parseStrictBody } from '#lib/values/strict-body.ts';
import { tellAs } from '#lib/values/tell-as.ts';
import { renderInstant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { requireRetriable } from './blocking.ts';

/** Says how a refused sale is tried again, beside its body. */
const Terms = z.object({
  /** It is made as of now, though judged by when it was sold. */
  as_of_now: z.boolean().default(false),
  /** Its prices, discounts and change are taken as they were sent. */
  accept_prices: z.boolean().default(false),
});

/** A changed body of it: whole, but for what it keeps. */
const Changed = SaleInput.partial({ key: true, cashbox_id: true, sold_at: true }).extend(Terms.shape);

/** Input to try a refused sale again: a changed body of it, or nothing. */
export const RetryInput = tellAs(SaleInput.partial().extend(Terms.shape), z.union([Terms, Changed]));

const Retried = Terms.loose();

const ACCEPT = 'company.trade.sale.refused.accept-prices';

/**
 * Tries a refused sale again, by a changed body or the newest of its own. It keeps its key, its desk, when it
 * was sold and by whom, and asks for the rights of who retries. 400 if it doesn't wait; refused again, it is
 * told why, and waits. A blocked company's may be tried if its batch would take it. Part 4, 4.4, 5.
 */
export async function retryRefusedSale(
  actor: Staff,
  { id, sent }: { readonly id: number; readonly sent: unknown },
  { at, locale, saveResponse }: RefusedSaleContext,
): Promise<RefusedSale> {
  const { tenant } = actor;
  const { refused, companyId } = await getRefusedToChange(actor, id);
  requireWaiting(refused);
  const { as_of_now: isAsOfNow, accept_prices: areAccepted, ...body } = Retried.parse(sent ?? {});
  if (areAccepted && !hasRight(actor, ACCEPT)) {
    throw invalid({ accept_prices: 'refused_sale.accept_forbidden' });
  }
  const changed = Object.keys(body).length > 0 ? body : undefined;
  // Who may only retry sells what the till has sold, and nothing else.
  if (changed !== undefined && !hasRight(actor, RIGHT_TO_SELL)) throw forbidden();
  const tried = changed === undefined ? refused.bodies.at(-1) : findBody(refused, changed);
  requireRetriable(actor, refused, { came_at: tried?.came_at ?? at, at });
  const bodies = await readByNumber(tenant, refused);
  const input = inputOf(refused, changed ?? [...bodies.values()].at(-1));

  const answerOf = (sale: Sale, was: VersionedRefusedSale) => {
    const { after } = refusalEnd(tenant, was, sale, changed);
    const last = after.bodies.at(-1)?.number;
    // What came while it was tried, and was not read, is left out.
    const shown = newestFitting(after.bodies).flatMap(
      ({ number }) => bodies.get(number) ?? (number === last ? changed : undefined) ?? [],
    );
    return showRefused({ refused: after, companyId }, shown, locale);
  };
  const { sale, was } = await sell(actor, input, at, {
    saveResponse: (made, before = refused) => saveResponse(answerOf(made, before)),
    sent: changed,
    isRetry: true,
    ...{ isAsOfNow, areAccepted },
  });
  // Somebody else may have been faster: then it is told as that has left it.
  return was ? answerOf(sale, was) : get(actor, id, locale);
}

/** Reads a body as that of a refused sale, with what it leaves out of it. 422 on what it may not change. */
function inputOf(refused: VersionedRefusedSale, body: unknown): SaleInput {
  const { key, cashbox_id, creator_id } = refused;
  const kept = { key, cashbox_id, sold_at: renderInstant(refused.sold_at) };
  const input = parseStrictBody(SaleInput, { ...kept, ...Object(body) });
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
