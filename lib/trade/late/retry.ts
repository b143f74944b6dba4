import type { Staff } from '#lib/access/actor.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import { keepBody, readNewestBodies } from '#lib/trade/refused/body.ts';
import {
  type Refused,
  type RefusedOccasion,
  type RefusedSale,
  refusedSales,
} from '#lib/trade/refused/record.ts';
import { get, requireWaiting, showRefused } from '#lib/trade/refused/refused.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { sell } from '#lib/trade/till/sell.ts';
import { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import { readStrictly } from '#lib/values/strictly.ts';
import type { Locale } from '#lib/values/text.ts';

/** Input to try a refused sale again: a changed body of it, or nothing. */
export const RetryInput = SaleInput.partial();

/**
 * Tries a refused sale again, by a changed body or the newest of its own. It keeps its key, its desk, when it
 * was sold and by whom. 400 if it doesn't wait; refused again, it is told why, and waits. A blocked company's
 * may be tried. Part 4, 4.4, 5.
 */
export async function retry(
  actor: Staff,
  { id, sent }: { readonly id: number; readonly sent: unknown },
  { at, locale, remember }: RefusedOccasion,
): Promise<RefusedSale> {
  const refused = await getDocumentToChange(refusedSales, actor, id);
  requireWaiting(refused);
  if (!actor.isCompanyActive) throw refuse('auth.company_inactive');
  const changed = Object.keys(Object(sent)).length > 0 ? sent : undefined;
  const bodies = await readNewestBodies(actor.home, refused, changed);
  const named = readStrictly(SaleInput, changed ?? bodies.at(-1));
  const input = { ...named, creator_id: named.creator_id ?? refused.creator_id };
  requireSame(input, refused);

  const answerOf = (sale: Sale, was: Refused) => {
    const { sizes } = keepBody(actor.home, was, changed);
    return showSold({ ...was, sizes }, sale, changed ? [...bodies, changed] : bodies, locale);
  };
  const { sale, was } = await sell(actor, input, at, {
    remember: (made, before = refused) => remember(answerOf(made, before)),
    sent: changed,
    isRetry: true,
  });
  // Somebody else may have been faster: then it is told as that has left it.
  return was ? answerOf(sale, was) : get(actor, id, locale);
}

/** Requires a body to be of the sale that was refused. 422 on what it may not change. */
function requireSame(input: SaleInput, refused: Refused): void {
  const problems = new Problems();
  for (const field of ['key', 'cashbox_id', 'sold_at'] as const) {
    if (input[field] !== refused[field]) problems.add(field, 'refused_sale.keeps_field');
  }
  problems.throwIfAny();
}

function showSold(refused: Refused, sale: Sale, bodies: unknown[], locale: Locale): RefusedSale {
  const sold = { status: 'sold', sale_id: sale.id, attempts: refused.attempts + 1 } as const;
  return showRefused({ ...refused, ...sold, updated_at: sale.created_at }, bodies, locale);
}
