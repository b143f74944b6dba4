import type { Staff } from '#lib/auth/actor.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { newestFitting, readByNumber } from '#lib/trade/refused/body.ts';
import { getRefusedToChange } from '#lib/trade/refused/desk.ts';
import type { RefusedSale, RefusedSaleContext, VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { get, requireWaiting, showRefused } from '#lib/trade/refused/refused.ts';
import { refusalEnd } from '#lib/trade/refused/store.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { decideRetry } from './decide-retry.ts';

/**
 * Retries a refused sale, with a changed body or its newest one. Its key, desk, time and seller stay, and the
 * rights are those of the retrying user. 400 if it is not waiting; if rejected again, throws the error, and
 * the sale stays waiting. A blocked company may retry sales that it could still upload. Part 4, 4.4, 5.
 */
export async function retryRefusedSale(
  actor: Staff,
  { id, sent }: { readonly id: number; readonly sent: unknown },
  { at, locale, saveResponse }: RefusedSaleContext,
): Promise<RefusedSale> {
  const { tenant } = actor;
  const { refused, companyId } = await getRefusedToChange(actor, id);
  requireWaiting(refused);
  const bodies = await readByNumber(tenant, refused);
  const { input, changed, ...options } = decideRetry(actor, sent, { refused, bodies }, at);

  const responseOf = (sale: Sale, was: VersionedRefusedSale) => {
    const { after } = refusalEnd(tenant, was, sale, changed);
    const last = after.bodies.at(-1)?.number;
    // Bodies received during the retry were not read, and are omitted.
    const shown = newestFitting(after.bodies).flatMap(
      ({ number }) => bodies.get(number) ?? (number === last ? changed : undefined) ?? [],
    );
    return showRefused({ refused: after, companyId }, shown, locale);
  };
  const { sale, was } = await sell(actor, input, at, {
    saveResponse: (made, before = refused) => saveResponse(responseOf(made, before)),
    sent: changed,
    isRetry: true,
    ...options,
  });
  // A concurrent retry may have sold it: the response then shows its result.
  return was ? responseOf(sale, was) : get(actor, id, locale);
}
