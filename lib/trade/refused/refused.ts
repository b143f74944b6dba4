import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import {
  documentReplacement,
  getDocument,
  getDocumentToChange,
  listDocuments,
} from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { refuse } from '#lib/values/refusal.ts';
import { say } from '#lib/values/say.ts';
import type { Locale } from '#lib/values/text.ts';
import { readBodies, readNewestBodies } from './body.ts';
import {
  type DismissalInput,
  type Refused,
  type RefusedOccasion,
  type RefusedSale,
  refusedSales,
  type StoredRefusedSale,
} from './record.ts';
import { waitingWrite } from './waiting.ts';

/** Lists the refused sales of the desks open to the caller, each with its bodies as far as they fit. */
export async function list(actor: Staff, query: ListQuery, locale: Locale) {
  const page = await listDocuments(refusedSales, actor, query);
  const bodies = await readBodies(actor.home, page.rows);
  return { ...page, rows: page.rows.map((row, index) => showRefused(row, bodies[index], locale)) };
}

/** Reads one refused sale, with the newest of its bodies that fit, and with what was asked for. */
export async function get(actor: Staff, id: number, locale: Locale, wanted: readonly Embed[] = []) {
  const refused = await getDocument(refusedSales, actor, id, wanted);
  const bodies = await readNewestBodies(actor.home, refused);
  return { ...showRefused(refused, bodies, locale), version: refused.version };
}

/** Requires that a refused sale still waits. 400 if it was sold or dismissed. */
export function requireWaiting({ status }: Pick<Refused, 'status'>): void {
  if (status !== 'waiting') throw refuse('refused_sale.not_waiting');
}

/**
 * Dismisses a refused sale: its key is answered so from then on. 400 if it doesn't wait. Part 4, 4.4, 5.
 */
export async function dismiss(
  actor: Staff,
  { id, comment }: z.output<typeof DismissalInput> & { readonly id: number },
  { at, locale, remember }: RefusedOccasion,
): Promise<RefusedSale> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(refusedSales, actor, id);
    requireWaiting(before);
    const after = { ...before, status: 'dismissed', comment, updated_at: at } as const;
    const answer = showRefused(after, await readNewestBodies(home, before), locale);
    await transact([
      ...documentReplacement(refusedSales, home, before, after),
      waitingWrite(home, before.cashbox_id, -1),
      ...remember(answer),
    ]);
    return answer;
  });
}

/** Shows a refused sale in the caller's language, with the bodies that fit. */
export function showRefused(
  { sent_by: _, created_at: refused_at, updated_at: __, sizes, errors, ...refused }: StoredRefusedSale,
  bodies: unknown[] | undefined,
  locale: Locale,
): RefusedSale {
  return {
    ...refused,
    refused_at,
    bodies: bodies ?? null,
    ...(bodies?.length !== sizes.length && { bodies_left_out: true as const }),
    errors: errors && textsOf(errors, locale),
  };
}

function textsOf(errors: NonNullable<StoredRefusedSale['errors']>, locale: Locale): Record<string, string[]> {
  return Object.fromEntries(Object.entries(errors).map(([path, what]) => [path, [say(locale, what)]]));
}
