import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import {
  type BulkCallOptions,
  entryErrorFields,
  entryResult,
  processEntries,
} from '#lib/records/bulk-call.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import { ApiError, KeyReused, StoredSaleError } from '#lib/values/api-error.ts';
import { tellAs } from '#lib/values/tell-as.ts';
import { Timestamp } from '#lib/values/time.ts';
import { processOfflineSale } from './entry.ts';

const MAX_ENTRIES = 50;

/** Input to upload offline sales. Each entry is validated independently. */
export const SaleBatchInput = z.object({
  sales: z.array(tellAs(z.unknown(), SaleInput)).min(1).max(MAX_ENTRIES),
});

/** Outcome of each entry, in order. */
export const SaleBatchAnswer = z.object({
  now: Timestamp,
  data: z.array(
    z.object({
      key: z.string().nullable(),
      status: z.int(),
      is_replayed: z.boolean(),
      sale: Sale.nullable(),
      sale_id: z.int().nullable(),
      refused_id: z.int().nullable(),
      ...entryErrorFields,
    }),
  ),
});

/**
 * Creates offline sales in order, each in a transaction of its own. Entries beyond the time limit are 503, to
 * be sent again. Part 4, 4.4, 4.
 */
export async function sellBatch(
  actor: Staff,
  { sales: entries }: z.output<typeof SaleBatchInput>,
  occasion: BulkCallOptions,
): Promise<z.input<typeof SaleBatchAnswer>> {
  const { at, locale } = occasion;
  const outcomes = await processEntries(
    entries,
    occasion,
    (sent) => processOfflineSale(actor, sent, at),
    notProcessed,
  );
  const data = outcomes.map((outcome, index) => {
    const isSold = !(outcome instanceof ApiError);
    return {
      ...entryResult(outcome, locale),
      key: keyIn(entries[index]),
      is_replayed: isSold && outcome.isReplayed,
      sale: isSold ? outcome.sale : null,
      ...idsOf(outcome),
    };
  });
  return { now: at, data };
}

/** Returns the ids of the sale, or of the stored refused sale, with a rejected entry's key. */
function idsOf(outcome: object) {
  if (outcome instanceof KeyReused) return outcome.ids;
  return { sale_id: null, refused_id: outcome instanceof StoredSaleError ? outcome.refusedId : null };
}

function notProcessed(): ApiError {
  return new ApiError(503, { key: 'http.try_again' });
}

const Keyed = z.object({ key: z.string() });

function keyIn(sent: unknown): string | null {
  return Keyed.safeParse(sent).data?.key ?? null;
}
