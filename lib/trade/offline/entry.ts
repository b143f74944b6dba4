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

/** An entry that is larger is no sale that a till could have made. Part 4, 4.4, 5. */
const MAX_BYTES = 102_400;

/** As much of an entry as must be readable for it to be kept. */
const Readable = z.object({ key: SaleKey, sold_at: TimestampField, cashbox_id: Id });

const MaybeCurrency = Currency.nullish().catch(null);

/** What else is told of a kept one, if it can be read. */
const Told = z.object({
  creator_id: Id.nullable().catch(null),
  currency: Currency.nullable().catch(null),
  transactions: z.array(z.object({ amount: amount(0).catch(0), currency: MaybeCurrency })).catch([]),
});

/**
 * Sells an entry of a batch, or answers with why not; a late sale that is refused is kept, so that nothing
 * that was sold is ever lost. Whatever is wrong with it is its alone.
 */
export async function processOfflineSale(
  actor: Staff,
  sent: unknown,
  at: Instant,
): Promise<SaleOutcome | ApiError> {
  const unfit = whyUnfit(sent);
  if (unfit) return unfit;
  try {
    return await sellEntry(actor, sent, at);
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal instanceof StoredSaleError || !isStorable(refusal)) return refusal;
    const again = () => sellEntry(actor, sent, at);
    return keepEntry(actor, sent, { refusal, at }, { keepsNew: true, again }).catch(refusalFor);
  }
}

/**
 * Ends the single call of a sale whose body can't be read as one. If it was kept of a sale that is made by
 * now, it is that sale; if its key waits, it is one more try; else it is what it was. Part 4, 4.4, 5.
 */
export async function endUnfitSale(
  actor: Staff,
  sent: unknown,
  refusal: ApiError,
  at: Instant,
): Promise<SaleOutcome> {
  if (whyUnfit(sent)) throw refusal;
  const again = () => Promise.reject(refusal);
  const end = await keepEntry(actor, sent, { refusal, at }, { keepsNew: false, again });
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

/** Gives the refusal of what is no sale of a till, whatever else is in it: it is not kept. */
function whyUnfit(sent: unknown): ApiError | undefined {
  if (sent instanceof MalformedEntry) return invalid({ body: 'http.malformed_body' });
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return invalid({ body: 'validation.not_object' });
  }
  const isTooLarge = Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES;
  return isTooLarge ? invalid({ body: 'sale.entry_too_large' }) : undefined;
}

/** Makes the refusal for an error. A defect refuses one entry: the others are sold all the same. */
function refusalFor(error: unknown): ApiError {
  const refusal = apiErrorIn(error);
  if (refusal) return refusal;
  process.emitWarning(error instanceof Error ? error : String(error));
  return new ApiError(500, { key: 'http.internal' });
}

interface Keeping {
  /** Set if it is kept though nobody has sent its key before. */
  readonly keepsNew: boolean;
  /** Tells what becomes of it if its key is another body's sale. */
  readonly again: () => Promise<SaleOutcome>;
}

/**
 * Keeps a late sale that was refused, if its key, time and desk can be read, and the desk is open to its
 * sender. If its key waits already, another body of it is kept; if its key is a sale's by now, that is told.
 */
async function keepEntry(
  actor: Staff,
  sent: unknown,
  { refusal, at }: { readonly refusal: ApiError; readonly at: Instant },
  { keepsNew, again }: Keeping,
): Promise<SaleOutcome | ApiError> {
  const readable = Readable.safeParse(sent).data;
  if (!readable) return refusal;
  const told = { ...readable, ...Told.parse(sent) };
  try {
    return await retryOnContention(async () => {
      const known = await findSaleByKey(actor, { ...readable, terms: undefined, sent });
      const { desk, sale, waiting } = known;
      if (!desk) return deskRefusal(refusal);
      if (sale) return { sale, isReplayed: true };
      const refusing = { refusal, sent, at };
      if (waiting) return updateIfWaiting(actor, told, known, refusing);
      return keepsNew ? keepNew(actor, told, desk, refusing) : refusal;
    });
  } catch (error) {
    // It was sold meanwhile, perhaps by this very body.
    if (error instanceof KeyReused && error.ids.sale_id !== null) return again();
    throw error;
  }
}
