import { waitEndWrite, waitWrite } from '#lib/cash/desk/waiting.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { keyWriteOfRefused } from '#lib/trade/sale/idempotency-key.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { ApiError } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { storeBody } from './body.ts';
import { refusedSales, type StoredRefusedSale, type VersionedRefusedSale } from './record.ts';

/** Fields of a refused sale set by an attempt. */
type AttemptFields = Pick<StoredRefusedSale, 'creator_id' | 'amount'> &
  (Pick<StoredRefusedSale, 'sent_by'> | Pick<StoredRefusedSale, 'retried_by'>);

/** Rejected attempt. */
interface RejectedAttempt {
  readonly refusal: ApiError;
  /** Body as sent; undefined for a retry without one. */
  readonly sent: unknown;
  readonly at: Instant;
}

type OfflineSale = Pick<
  StoredRefusedSale,
  'key' | 'cashbox_id' | 'creator_id' | 'sent_by' | 'sold_at' | 'amount'
>;

/**
 * Stores an offline sale rejected for the first time. `Contention` if its key has been taken since, 429 if
 * its desk has too many waiting.
 */
export async function storeRefusedSale(
  tenant: Tenant,
  offline: OfflineSale,
  { refusal, sent, at }: RejectedAttempt,
): Promise<number> {
  const id = await nextId(refusedSales.type, tenant);
  const { bodies, writes } = storeBody(tenant, { id, bodies: [] }, sent, at);
  const refused: StoredRefusedSale = {
    ...offline,
    id,
    ...reasonOf(refusal),
    attempts: 1,
    status: 'waiting',
    comment: null,
    sale_id: null,
    retried_by: null,
    bodies,
    created_at: at,
    updated_at: at,
  };
  await transact([
    documentInsertion(refusedSales, tenant, refused),
    ...writes,
    keyWriteOfRefused(tenant, offline, { refused_id: id }),
    waitWrite(tenant, offline.cashbox_id),
  ]);
  return id;
}

/**
 * Updates a sale that was rejected again, with the received body. `Contention` if it has changed since the
 * read.
 */
export async function updateRefusedSale(
  tenant: Tenant,
  before: VersionedRefusedSale,
  attempt: AttemptFields,
  { refusal, sent, at }: RejectedAttempt,
): Promise<void> {
  const { bodies, writes } = storeBody(tenant, before, sent, at);
  const attempts = before.attempts + 1;
  const after = { ...before, ...attempt, ...reasonOf(refusal), attempts, bodies, updated_at: at };
  await transact([...documentReplacement(refusedSales, tenant, before, after), ...writes]);
}

/** Computes a refused sale after it was sold. */
export function refusalEnd(tenant: Tenant, before: VersionedRefusedSale, sale: Sale, sent: unknown) {
  const { id: sale_id, sold_amount: amount, creator_id, sent_by, retried_by, created_at } = sale;
  const { sold_at, happened_at } = sale;
  const { bodies, writes } = storeBody(tenant, before, sent, created_at);
  const sold = { status: 'sold', sale_id, amount, creator_id, attempts: before.attempts + 1 } as const;
  const times = { sold_at, happened_at, updated_at: created_at };
  const names = { sent_by: sent_by ?? before.sent_by, retried_by: retried_by ?? before.retried_by };
  return { after: { ...before, ...sold, ...names, ...times, bodies }, writes };
}

/** Builds the writes of a refused sale that was sold. */
export function refusalEndWrites(
  tenant: Tenant,
  before: VersionedRefusedSale,
  sale: Sale,
  sent: unknown,
): Write[] {
  const { after, writes } = refusalEnd(tenant, before, sale, sent);
  return [
    ...documentReplacement(refusedSales, tenant, before, after),
    ...writes,
    waitEndWrite(tenant, before.cashbox_id),
  ];
}

function reasonOf({ status, phrase, fields }: ApiError) {
  return { code: phrase.key, values: phrase.with ?? {}, errors: status === 422 ? fields : null };
}
