import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { waitEndWrite } from '#lib/cash/desk/waiting.ts';
import { documentReplacement, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { fieldsWithCostsHidden, translateFields } from '#lib/values/error-text.ts';
import { valuesInText, withCostHidden } from '#lib/values/message.ts';
import type { Locale } from '#lib/values/text.ts';
import { readBodies, readNewestBodies } from './body.ts';
import { getRefused, getRefusedToChange, type RefusedAtDesk, readCompanies, whereOfDesks } from './desk.ts';
import {
  type DismissalInput,
  type RefusedSale,
  type RefusedSaleContext,
  refusedSales,
  type StoredRefusedSale,
  type VersionedRefusedSale,
} from './record.ts';

/** Lists the refused sales of the desks open to the caller, each with its bodies as far as they fit. */
export async function list(actor: Staff, query: ListQuery, locale: Locale) {
  const { tenant } = actor;
  const where = await whereOfDesks(actor, query.where);
  const page = await listDocuments(refusedSales, actor, { ...query, where });
  const desks = page.rows.map(({ cashbox_id }) => cashbox_id);
  const [bodies, companies] = await Promise.all([
    readBodies(tenant, page.rows),
    readCompanies(tenant, desks),
  ]);
  const rows = page.rows.map((refused, index) => {
    const companyId = companies.get(refused.cashbox_id) ?? actor.companyId;
    return showRefused({ refused, companyId }, bodies[index], locale);
  });
  return { ...page, rows };
}

/** Reads a refused sale, with the newest of its bodies that fit. */
export async function get(actor: Staff, id: number, locale: Locale, requestedEmbeds: readonly Embed[] = []) {
  const found = await getRefused(actor, id, requestedEmbeds);
  const bodies = await readNewestBodies(actor.tenant, found.refused);
  return { ...showRefused(found, bodies, locale), version: found.refused.version };
}

/** Requires that a refused sale is still waiting. 400 if it was sold or dismissed. */
export function requireWaiting({ status }: Pick<VersionedRefusedSale, 'status'>): void {
  if (status !== 'waiting') throw badRequest('refused_sale.not_waiting');
}

/**
 * Dismisses a refused sale: later uploads with its key are rejected as dismissed. 400 if it is not waiting.
 * Part 4, 4.4, 5.
 */
export async function dismiss(
  actor: Staff,
  { id, comment }: z.output<typeof DismissalInput> & { readonly id: number },
  { at, locale, saveResponse }: RefusedSaleContext,
): Promise<RefusedSale> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const { refused: before, companyId } = await getRefusedToChange(actor, id);
    requireWaiting(before);
    const after = { ...before, status: 'dismissed', comment, updated_at: at } as const;
    const bodies = await readNewestBodies(tenant, before);
    const response = showRefused({ refused: after, companyId }, bodies, locale);
    await transact([
      ...documentReplacement(refusedSales, tenant, before, after),
      waitEndWrite(tenant, before.cashbox_id),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Returns a published refused sale in the caller's language, with the bodies that fit. */
export function showRefused(
  { refused, companyId }: { readonly refused: StoredRefusedSale } & Pick<RefusedAtDesk, 'companyId'>,
  bodies: unknown[] | undefined,
  locale: Locale,
): RefusedSale {
  const { created_at: refused_at, updated_at: _, values = {}, errors, ...shown } = refused;
  const { hidesCosts } = requestContext();
  const message = { key: shown.code, with: values };
  return {
    ...shown,
    company_id: companyId,
    refused_at,
    bodies: bodies ?? null,
    ...(bodies?.length !== refused.bodies.length && { bodies_left_out: true as const }),
    ...(errors
      ? translateFields(locale, hidesCosts ? fieldsWithCostsHidden(errors) : errors)
      : {
          errors,
          codes: null,
          params: valuesInText(locale, hidesCosts ? withCostHidden(message) : message),
        }),
  };
}
