import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, Product, products } from '#lib/catalog/card.ts';
import {
  type BulkCallOptions,
  entryErrorFields,
  entryResult,
  processEntries,
} from '#lib/records/bulk-call.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { apiErrorIn } from '#lib/table/transient-errors.ts';
import { ApiError, serviceUnavailable } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ProductSyncInput, SyncRow } from './row.ts';
import { type RowOutcome, upsertRow } from './write.ts';

/** Outcome of each row, in order. */
export const ProductUpsertResponse = z.object({
  data: z.array(
    z.object({
      external_id: z.string(),
      status: z.int(),
      outcome: enumeration('sync.outcome', ['made', 'changed', 'same', 'deleted']).nullable(),
      product: Product.nullable(),
      ...entryErrorFields,
    }),
  ),
});

/**
 * Upserts products from another system, each row independently and in order: a variant may follow its main
 * card. Rows beyond the time limit are 503, to be sent again. Part 4, 4.3.
 */
export async function upsertProducts(
  actor: Staff,
  { products: rows }: z.output<typeof ProductSyncInput>,
  occasion: BulkCallOptions,
): Promise<z.input<typeof ProductUpsertResponse>> {
  const { at, locale } = occasion;
  const ended = await processEntries(rows, occasion, (row) => tryRow(actor, row, at), serviceUnavailable);
  const shown = await readProducts(actor, ended);
  const data = rows.map(({ external_id }, index) => {
    const result = ended[index] ?? serviceUnavailable();
    const outcome = result instanceof ApiError ? null : result.outcome;
    return { ...entryResult(result, locale), external_id, outcome, product: shown[index] ?? null };
  });
  return { data };
}

/** Upserts a row; an API error concerns this row only. */
async function tryRow(actor: Staff, row: SyncRow, at: Instant): Promise<RowOutcome | ApiError> {
  try {
    return await upsertRow(actor, row, at);
  } catch (error) {
    const refusal = apiErrorIn(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** Reads the rows' current products with embedded names. Two round trips. */
async function readProducts({ tenant }: Staff, ended: readonly (RowOutcome | ApiError)[]) {
  const ids = ended.map((each) => (each instanceof ApiError ? undefined : each.id));
  const keys = ids.map((id) => keyIfAny(id, (known) => recordKey(products.type, tenant, known)));
  const items = await getItems(keys);
  const whole = await embed(
    items.map((item) => item ?? {}),
    [fullText],
  );
  return whole.map((item, index) => (items[index] ? parseStored(Product, item) : undefined));
}
