import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { REPRICING_LINE, type Repricing, repricings } from '#lib/catalog/repricing/record.ts';
import { repricingLine, repricingWrites } from '#lib/catalog/repricing/write.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { dueEndWrite, dueWorkWrite } from '#lib/records/due.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { RepricingInput } from './input.ts';
import { create, fullResponse, markupSummaryOf, type RepricingContext } from './reprice.ts';
import { repricingRef, showRepricing } from './repricing.ts';
import { readRows } from './rows.ts';

/*
 * A planned batch has its lines at once, with the prices of the moment of planning, and beside them its rows
 * as sent. Once its time has come, a worker prices these rows as of then (`start.ts`).
 */

/** Kind of planned batches among due work. */
export const REPRICING_DUE = 'repricing';

/** Type of the rows of planned batches, stored in chunks like lines. */
export const PLANNED_ROW = 'repricing-row';

type PlannedRow = RepricingInput['products'][number];

const Stored = z.looseObject({ sale_price: z.int(), sale_currency: z.string() });

/** Row of a planned batch, as sent. */
export const PlannedRow = z.custom<PlannedRow>((row) => Stored.safeParse(row).success);

/** Reprices products now, or plans it for the time of the input. 422 as in `readRows`. */
export function submit(
  actor: Staff,
  input: RepricingInput,
  context: RepricingContext,
  saveResponse: (repricing: Repricing) => Write[],
): Promise<Repricing> {
  const { starts_at } = input;
  if (starts_at === null) return create(actor, input, context, saveResponse);
  return plan(actor, { ...input, starts_at }, context, saveResponse);
}

function plan(
  actor: Staff,
  input: RepricingInput & { readonly starts_at: Instant },
  { at, locale }: RepricingContext,
  saveResponse: (repricing: Repricing) => Write[],
): Promise<Repricing> {
  const { tenant, familyId } = actor;
  return retryOnContention(async () => {
    const [id, firstLine, { rows }] = await Promise.all([
      nextId(repricings.type, tenant),
      nextId(REPRICING_LINE, tenant, input.products.length),
      readRows(actor, input, at),
    ]);
    const { company_id, rounding_type, starts_at } = input;
    const repricing: Repricing = {
      ...{ id, company_id, rounding_type, currency_rate: null, type: 'group', created_at: at },
      ...{ status: 'planned', starts_at },
      ...makerOf(actor),
      ...{ products_count: rows.length, skipped_count: 0, markup_summary: markupSummaryOf(rows) },
    };
    const lines = rows.map(({ row, ...change }, index) =>
      repricingLine(repricing, firstLine + index, change, row),
    );
    const response = await fullResponse(showRepricing(repricing, lines, [], locale), rows);
    await transact([
      ...repricingWrites(tenant, repricing, lines),
      ...lineWrites(
        { type: PLANNED_ROW, tenant, id },
        rows.map(({ row }) => row),
      ),
      dueWorkWrite(REPRICING_DUE, { familyId, id, at: starts_at }),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Cancels a planned batch. 400 if it is not planned any more. Part 5, 5A.14, 3. */
export function cancel(actor: Staff, id: number, saveResponse: () => Write[]): Promise<void> {
  const { tenant, familyId } = actor;
  return retryOnContention(async () => {
    const planned = await getDocumentToChange(repricings, actor, id);
    const { status, starts_at = null, products_count } = planned;
    if (status !== 'planned' || starts_at === null) throw badRequest('repricing.not_planned');
    await transact([
      ...documentReplacement(repricings, tenant, planned, { ...planned, status: 'canceled' }),
      ...lineWrites({ ...repricingRef(tenant, id), type: PLANNED_ROW }, [], products_count),
      dueEndWrite(REPRICING_DUE, { familyId, id, at: starts_at }),
      ...saveResponse(),
    ]);
  });
}
