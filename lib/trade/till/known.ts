import type { Staff } from '#lib/access/actor.ts';
import { vouch } from '#lib/records/stored.ts';
import { all } from '#lib/table/expression.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { readWaiting } from '#lib/trade/refused/keep.ts';
import type { Refused } from '#lib/trade/refused/record.ts';
import { fiscalizeIfLacking } from '#lib/trade/return/fiscal.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { readSaleKey, termsOf } from '#lib/trade/sale/key.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { Refusal } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** What the key of a sale has become: the sale as it is now, or a refused one that waits; nothing yet. */
export interface KeyOutcome {
  readonly sale?: Sale;
  readonly waiting?: Refused;
}

/** A sale that a call has made, or that its key had become before. */
export interface SaleOutcome {
  readonly sale: Sale;
  readonly isReplayed: boolean;
  /** The refused sale which it was until then. */
  readonly was?: Refused | undefined;
}

const NOTHING: KeyOutcome = {};

/**
 * Finds what a key has become. 409 if that is another sale, or out of the caller's reach, and if it waits at
 * another desk; 422 if it was dismissed; `NotYet` if only its claim is seen so far. Two round trips, one if
 * nobody has sent it, none without a key. Part 4, 4.4, 1; Part 4, 4.4, 5.
 */
export async function findKnown(
  actor: Staff,
  input: SaleInput,
  readKey: typeof readSaleKey = readSaleKey,
): Promise<KeyOutcome> {
  const { home } = actor;
  const { key, cashbox_id } = input;
  if (key === null) return NOTHING;
  const known = await readKey(home, key);
  if (!known) return NOTHING;
  if ('refused_id' in known) return { waiting: await readWaiting(home, known, cashbox_id) };
  const item = await getItem(recordKey(sales.type, home, known.sale_id));
  if (!item) throw new NotYet();
  const isReached = all(sales.reach?.(actor) ?? []).matches(item);
  if (!isReached || known.terms !== termsOf(input)) throw new Refusal(409, { key: 'sale.key_reused' });
  return { sale: vouch(Sale, item) };
}

/** Tells a sale that was made before, with the receipt that it lacked. */
export async function replay(
  actor: Staff,
  before: Sale,
  { fiscal }: SaleInput,
  at: Instant,
): Promise<SaleOutcome> {
  return { sale: await fiscalizeIfLacking(actor, before, fiscal, at), isReplayed: true };
}
