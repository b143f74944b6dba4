import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { apiErrorIn } from '#lib/table/transient-errors.ts';
import { deskRefusal, findSaleByKey, type SaleOutcome } from '#lib/trade/checkout/idempotent-sale.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { isStorable, keepNew, updateIfWaiting } from '#lib/trade/checkout/store-refused.ts';
import { saleFingerprint } from '#lib/trade/sale/idempotency-key.ts';
import { SaleInput, SaleKey } from '#lib/trade/sale/input.ts';
import { ApiError, invalid, KeyReused, StoredSaleError } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { MalformedEntry } from '#lib/values/malformed.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { parseStrictBody } from '#lib/values/strict-body.ts';
import { type Instant, TimestampField } from '#lib/values/time.ts';
import { requireNotBlocked } from './blocking.ts';

/** Limit of an entry in bytes: a till cannot have made a larger sale. Part 4, 4.4, 5. */
const MAX_BYTES = 102_400;

/** Fields that must be readable for an entry to be stored. */
const Readable = z.object({ key: SaleKey, sold_at: TimestampField, cashbox_id: Id });

const MaybeCurrency = Currency.nullish().catch(null);

/** Further fields of a stored entry, as far as readable. */
const OptionalFields = z.object({
  creator_id: Id.nullable().catch(null),
  currency: Currency.nullable().catch(null),
  transactions: z.array(z.object({ amount: amount(0).catch(0), currency: MaybeCurrency })).catch([]),
});

/**
 * Creates the sale of a batch's entry, or returns the error; a rejected offline sale is stored, so that no
 * sale is ever lost. An error concerns this entry only.
 */
export async function processOfflineSale(
  actor: Staff,
  sent: unknown,
  at: Instant,
): Promise<SaleOutcome | ApiError> {
  const unfit = unfitError(sent);
  if (unfit) return unfit;
  try {
    return await sellEntry(actor, sent, at);
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal instanceof StoredSaleError || !isStorable(refusal)) return refusal;
    const resolve = () => sellEntry(actor, sent, at);
    return storeEntry(actor, sent, { refusal, at }, { storesNew: true, resolve }).catch(refusalFor);
  }
}

/**
 * Handles the single upload of a sale with an invalid body. If a sale with its key exists, that is returned;
 * if its key is waiting, this is another attempt; otherwise throws the error. Part 4, 4.4, 5.
 */
export async function endUnfitSale(
  actor: Staff,
  sent: unknown,
  refusal: ApiError,
  at: Instant,
): Promise<SaleOutcome> {
  if (unfitError(sent)) throw refusal;
  const resolve = () => Promise.reject(refusal);
  const end = await storeEntry(actor, sent, { refusal, at }, { storesNew: false, resolve });
  if (end instanceof ApiError) throw end;
  return end;
}

async function sellEntry(actor: Staff, sent: unknown, at: Instant): Promise<SaleOutcome> {
  const input = parseStrictBody(SaleInput, sent);
  const { key } = input;
  if (key === null) throw invalid({ key: 'validation.required' });
  const known = await requireNotBlocked(
    actor,
    input,
    { ...input, key, terms: saleFingerprint(input), sent },
    at,
  );
  return known ?? sell(actor, input, at, { saveResponse: () => [], sent });
}

/**
 * Returns the error of an entry that cannot be a till's sale, regardless of its contents, and is not stored.
 */
function unfitError(sent: unknown): ApiError | undefined {
  if (sent instanceof MalformedEntry) return invalid({ body: 'http.malformed_body' });
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return invalid({ body: 'validation.not_object' });
  }
  const isTooLarge = Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES;
  return isTooLarge ? invalid({ body: 'sale.entry_too_large' }) : undefined;
}

/** Converts an error to an API error. A defect rejects one entry; the others are processed. */
function refusalFor(error: unknown): ApiError {
  const refusal = apiErrorIn(error);
  if (refusal) return refusal;
  process.emitWarning(error instanceof Error ? error : String(error));
  return new ApiError(500, { key: 'http.internal' });
}

interface StoreOptions {
  /** Set to store an entry whose key is new. */
  readonly storesNew: boolean;
  /** Returns the outcome if the key belongs to another body's sale. */
  readonly resolve: () => Promise<SaleOutcome>;
}

/**
 * Stores a rejected offline sale, if its key, time and desk are readable and the desk is open to its sender.
 * For a waiting key, the body is added; for the key of a sale, that sale is returned.
 */
async function storeEntry(
  actor: Staff,
  sent: unknown,
  { refusal, at }: { readonly refusal: ApiError; readonly at: Instant },
  { storesNew, resolve }: StoreOptions,
): Promise<SaleOutcome | ApiError> {
  const readable = Readable.safeParse(sent).data;
  if (!readable) return refusal;
  const entry = { ...readable, ...OptionalFields.parse(sent) };
  try {
    return await retryOnContention(async () => {
      const known = await findSaleByKey(actor, { ...readable, terms: undefined, sent });
      const { desk, sale, waiting } = known;
      if (!desk) return deskRefusal(refusal);
      if (sale) return { sale, isReplayed: true };
      const refusing = { refusal, sent, at };
      if (waiting) return updateIfWaiting(actor, entry, known, refusing);
      return storesNew ? keepNew(actor, entry, desk, refusing) : refusal;
    });
  } catch (error) {
    // The sale was created concurrently, possibly from this body.
    if (error instanceof KeyReused && error.ids.sale_id !== null) return resolve();
    throw error;
  }
}
