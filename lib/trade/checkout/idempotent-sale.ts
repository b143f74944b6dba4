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

/** Request of a sale, for the lookup of its key. */
export interface SaleRequest extends RepeatedBody {
  readonly cashbox_id: number;
  readonly key: string;
  /** Fingerprint of the sale; undefined if the body is not one. */
  readonly terms: string | undefined;
}

/** Outcome of a key: the sale as it is now, a waiting refused sale, or nothing yet. */
export interface SaleKeyOutcome {
  /** Desk of the key; undefined if it is not open to the caller. */
  readonly desk: ReachedDesk | undefined;
  readonly sale?: Sale;
  readonly waiting?: VersionedRefusedSale;
}

/** Sale made by this call, or by an earlier one with its key. */
export interface SaleOutcome {
  readonly sale: Sale;
  readonly isReplayed: boolean;
  /** Refused sale that it replaces. */
  readonly was?: VersionedRefusedSale | undefined;
}

/**
 * Finds the outcome of a desk's key. 409 if it is another sale, made or waiting; 422 if it was dismissed;
 * `NotYet` if only its claim is visible so far. Two round trips, one if the key is new, three if the body
 * differs from the sale's. Part 4, 4.4, 1; Part 4, 4.4, 5.
 */
export async function findSaleByKey(
  actor: Staff,
  request: SaleRequest,
  read: ReadClaim = readClaim,
): Promise<SaleKeyOutcome> {
  const { tenant } = actor;
  const [item, claim] = await read(desks.keyOf(actor, request.cashbox_id), claimKeyOf(tenant, request));
  const desk = deskWithinReach(actor, item);
  const known = desk && saleKeyIn(claim);
  if (!known) return { desk };
  if ('sale_id' in known) return { desk, sale: await readSold(actor, known, request) };
  return { desk, waiting: await readWaitingSale(tenant, known, request) };
}

/** Reads a desk and the claim of a key. One round trip. */
function readClaim(desk: Key, claim: Key): Promise<(Item | undefined)[]> {
  return getItems([desk, claim]);
}

type ReadClaim = typeof readClaim;

/**
 * Reads them after an error, once no transaction is in progress on the claim: a concurrent call with the key
 * may have taken the goods before its claim was visible. Two more units, only in this case.
 */
export async function readSettledClaim(desk: Key, claim: Key): Promise<(Item | undefined)[]> {
  const [item, [settled]] = await Promise.all([getItem(desk), getSettled([claim])]);
  return [item, settled];
}

/** Finds the outcome of a sale's key; undefined without a key. */
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

/** Reads the sale of a key, for its own body and for bodies stored while it waited. 409 for another body. */
async function readSold({ tenant }: Staff, known: SoldKey, request: SaleRequest): Promise<Sale> {
  const { sale_id, refused_id, terms } = known;
  const item = await getItem(recordKey(sales.type, tenant, sale_id));
  if (!item) throw new NotYet();
  if (terms === request.terms) return parseStored(Sale, item);
  const refused = refused_id && (await getItem(recordKey(refusedSales.type, tenant, refused_id)));
  if (refused && findBody(parseRecord(StoredRefusedSale, refused), request.sent))
    return parseStored(Sale, item);
  throw request.isRetry ? badRequest('refused_sale.not_waiting') : new KeyReused({ sale_id });
}

/** Returns the error for a desk not open to the caller, which precedes any 422. Part 4, 4.4, 1. */
export function deskRefusal(refusal?: ApiError): ApiError {
  return refusal && refusal.status !== 400 ? refusal : invalid({ cashbox_id: 'validation.not_found' });
}

/** Returns a sale that was made before, adding a missing fiscal receipt. */
export async function replaySale(
  actor: Staff,
  before: Sale,
  { fiscal }: Pick<SaleInput, 'fiscal'>,
  at: Instant,
): Promise<SaleOutcome> {
  return { sale: await fiscalizeIfMissing(actor, before, fiscal, at), isReplayed: true };
}
