import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { isBusy } from '#lib/table/busy.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { keepRefused, keepRefusedAgain, type LateSale, readWaiting } from '#lib/trade/refused/keep.ts';
import { SaleInput, SaleKey } from '#lib/trade/sale/input.ts';
import { readSaleKey } from '#lib/trade/sale/key.ts';
import { isKept } from '#lib/trade/till/refuse.ts';
import { type SaleOutcome, sell } from '#lib/trade/till/sell.ts';
import { Id } from '#lib/values/fields.ts';
import { amount, MOST_AMOUNT } from '#lib/values/money.ts';
import { invalid, KeptRefusal, Refusal, unavailable } from '#lib/values/refusal.ts';
import { readStrictly } from '#lib/values/strictly.ts';
import { type Instant, TimestampField } from '#lib/values/time.ts';
import { requireOpen } from './blocking.ts';

/** An entry that is larger is no sale that a till could have made. Part 4, 4.4, 5. */
const MOST_BYTES = 102_400;

/** As much of an entry as must be readable for it to be kept. */
const Readable = z.object({ key: SaleKey, sold_at: TimestampField, cashbox_id: Id });

/** What else is told of a kept one, if it can be read. */
const Told = z.object({
  creator_id: Id.nullable().catch(null),
  transactions: z.array(z.object({ amount: amount(0).catch(0) })).catch([]),
});

/**
 * Sells an entry of a batch, or answers with why not; a late sale that is refused is kept, so that nothing
 * that was sold is ever lost. Whatever is wrong with it is its alone.
 */
export async function tryEntry(actor: Staff, sent: unknown, at: Instant): Promise<SaleOutcome | Refusal> {
  try {
    requireEntry(sent);
    return await sellEntry(actor, sent, at);
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal instanceof KeptRefusal || !isKept(refusal)) return refusal;
    return keepEntry(actor, sent, refusal, at).catch(refusalFor);
  }
}

async function sellEntry(actor: Staff, sent: unknown, at: Instant): Promise<SaleOutcome> {
  const input = readStrictly(SaleInput, sent);
  if (input.key === null) throw invalid({ key: 'validation.required' });
  const known = await requireOpen(actor, input, at);
  return known ?? sell(actor, input, at, { remember: () => [], sent });
}

function requireEntry(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw invalid({ body: 'validation.not_object' });
  }
  if (Buffer.byteLength(JSON.stringify(sent)) > MOST_BYTES) throw invalid({ body: 'sale.entry_too_large' });
}

/** Makes the refusal for an error. A defect refuses one entry: the others are sold all the same. */
function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isBusy(error)) return unavailable();
  process.emitWarning(error instanceof Error ? error : String(error));
  return new Refusal(500, { key: 'http.internal' });
}

/**
 * Keeps a late sale that was refused, if its key, time and desk can be read, and the desk is the family's. If
 * its key waits already, another body of it is kept; if its key is a sale's by now, it is sold.
 */
async function keepEntry(
  actor: Staff,
  sent: unknown,
  refusal: Refusal,
  at: Instant,
): Promise<SaleOutcome | Refusal> {
  const late = readLate(actor, sent);
  if (!late) return refusal;
  const { home } = actor;
  const kept = await retryOnContention(async () => {
    const [known, desk] = await Promise.all([
      readSaleKey(home, late.key),
      getItem(recordKey(desks.type, home, late.cashbox_id)),
    ]);
    if (known && 'sale_id' in known) return 'sold';
    if (!known)
      return desk && keepRefused(actor, { ...late, company_id: Number(desk['company_id']) }, refusal, at);
    const waiting = await readWaiting(home, known, late.cashbox_id);
    await keepRefusedAgain(home, waiting, { ...late, sent_by: actor.id }, { refusal, at });
    return waiting.id;
  });
  if (kept === 'sold') return sellEntry(actor, sent, at);
  return kept === undefined ? refusal : new KeptRefusal(refusal, kept);
}

function readLate(actor: Staff, sent: unknown): LateSale | undefined {
  const readable = Readable.safeParse(sent).data;
  if (!readable || Buffer.byteLength(JSON.stringify(sent)) > MOST_BYTES) return undefined;
  const { creator_id, transactions } = Told.parse(sent);
  const sum = transactions.reduce((total, payment) => total + payment.amount, 0);
  return { ...readable, creator_id: creator_id ?? actor.id, amount: Math.min(sum, MOST_AMOUNT), sent };
}
