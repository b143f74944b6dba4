import type { Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { deskWithinReach, type ReachedDesk } from '#lib/cash/desk/read.ts';
import { parseRecord, parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { type Key, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems, getSettled } from '#lib/table/read/get.ts';
import { findBody } from '#lib/trade/refused/body.ts';
import { refusedSales, StoredRefusedSale, type VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { type RepeatedBody, readWaitingSale } from '#lib/trade/refused/repeated.ts';
import { fiscalizeIfMissing } from '#lib/trade/return/fiscal-receipt.ts';
import { claimKeyOf, type SoldKey, saleFingerprint, saleKeyIn } from '#lib/trade/sale/idempotency-key.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { type ApiError, badRequest, invalid, KeyReused } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** A body, as its key is asked for. */
export interface AskedSale extends RepeatedBody {
  readonly cashbox_id: number;
  readonly key: string;
  /** What tells it from another sale; undefined if it can't be read as one. */
  readonly terms: string | undefined;
}

/** What the key of a sale has become: the sale as it is now, or a refused one that waits; nothing yet. */
export interface SaleKeyOutcome {
  /** Desk of the key; undefined if it is not open to the caller. */
  readonly desk: ReachedDesk | undefined;
  readonly sale?: Sale;
  readonly waiting?: VersionedRefusedSale;
}

/** A sale that a call has made, or that its key had become before. */
export interface SaleOutcome {
  readonly sale: Sale;
  readonly isReplayed: boolean;
  /** The refused sale which it was until then. */
  readonly was?: VersionedRefusedSale | undefined;
}

/**
 * Finds what a key of a desk has become. 409 if that is another sale, made or waiting; 422 if it was
 * dismissed; `NotYet` if only its claim is seen so far. Two round trips, one if nobody has sent it, three if
 * the body is not that of its sale. Part 4, 4.4, 1; Part 4, 4.4, 5.
 */
export async function findSaleByKey(
  actor: Staff,
  asked: AskedSale,
  read: ReadClaim = readClaim,
): Promise<SaleKeyOutcome> {
  const { tenant } = actor;
  const [item, claim] = await read(desks.keyOf(actor, asked.cashbox_id), claimKeyOf(tenant, asked));
  const desk = deskWithinReach(actor, item);
  const known = desk && saleKeyIn(claim);
  if (!known) return { desk };
  if ('sale_id' in known) return { desk, sale: await readSold(actor, known, asked) };
  return { desk, waiting: await readWaitingSale(tenant, known, asked) };
}

/** Reads a desk, and the claim of a key on it, each as last written. One round trip. */
function readClaim(desk: Key, claim: Key): Promise<(Item | undefined)[]> {
  return getItems([desk, claim]);
}

type ReadClaim = typeof readClaim;

/**
 * Reads them for a call that was refused, maybe as it saw the goods of the same sale gone and not yet its
 * claim: once no transaction is under way on the claim. Two units more, and only then.
 */
export async function readDoubtedClaim(desk: Key, claim: Key): Promise<(Item | undefined)[]> {
  const [item, [settled]] = await Promise.all([getItem(desk), getSettled([claim])]);
  return [item, settled];
}

/** Finds what the key of a sale has become; undefined without one. */
export async function findIfKeyed(
  actor: Staff,
  input: SaleInput,
  { sent, isRetry }: Pick<RepeatedBody, 'sent' | 'isRetry'>,
  read: ReadClaim = readClaim,
): Promise<SaleKeyOutcome | undefined> {
  const { key, cashbox_id, sold_at } = input;
  if (key === null) return undefined;
  return findSaleByKey(
    actor,
    { key, cashbox_id, sold_at, terms: saleFingerprint(input), sent, isRetry },
    read,
  );
}

/**
 * Reads the sale that a key has become, for its own body and for those that were kept while it waited. 409
 * for another.
 */
async function readSold({ tenant }: Staff, known: SoldKey, asked: AskedSale): Promise<Sale> {
  const { sale_id, refused_id, terms } = known;
  const item = await getItem(recordKey(sales.type, tenant, sale_id));
  if (!item) throw new NotYet();
  if (terms === asked.terms) return parseStored(Sale, item);
  const refused = refused_id && (await getItem(recordKey(refusedSales.type, tenant, refused_id)));
  if (refused && findBody(parseRecord(StoredRefusedSale, refused), asked.sent))
    return parseStored(Sale, item);
  throw asked.isRetry ? badRequest('refused_sale.not_waiting') : new KeyReused({ sale_id });
}

/** Gives the refusal for who does not reach the desk, whatever else is wrong. Part 4, 4.4, 1. */
export function deskRefusal(refusal?: ApiError): ApiError {
  return refusal && refusal.status !== 400 ? refusal : invalid({ cashbox_id: 'validation.not_found' });
}

/** Tells a sale that was made before, with the receipt that it lacked. */
export async function replaySale(
  actor: Staff,
  before: Sale,
  { fiscal }: Pick<SaleInput, 'fiscal'>,
  at: Instant,
): Promise<SaleOutcome> {
  return { sale: await fiscalizeIfMissing(actor, before, fiscal, at), isReplayed: true };
}
