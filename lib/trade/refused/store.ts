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

/** What a try tells of a refused sale, whatever became of it. */
type Told = Pick<StoredRefusedSale, 'creator_id' | 'amount'> &
  (Pick<StoredRefusedSale, 'sent_by'> | Pick<StoredRefusedSale, 'retried_by'>);

/** A try that was refused. */
interface Refusing {
  readonly refusal: ApiError;
  /** The body as it was sent; undefined if a retry sends none. */
  readonly sent: unknown;
  readonly at: Instant;
}

type OfflineSale = Pick<
  StoredRefusedSale,
  'key' | 'cashbox_id' | 'creator_id' | 'sent_by' | 'sold_at' | 'amount'
>;

/**
 * Keeps a late sale that was refused for the first time. `Contention` if its key is anybody's by now, 429 if
 * too many wait at its desk.
 */
export async function storeRefusedSale(
  tenant: Tenant,
  offline: OfflineSale,
  { refusal, sent, at }: Refusing,
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

/** Keeps one that was refused again, with the body that came. `Contention` if it has changed since. */
export async function updateRefusedSale(
  tenant: Tenant,
  before: VersionedRefusedSale,
  told: Told,
  { refusal, sent, at }: Refusing,
): Promise<void> {
  const { bodies, writes } = storeBody(tenant, before, sent, at);
  const attempts = before.attempts + 1;
  const after = { ...before, ...told, ...reasonOf(refusal), attempts, bodies, updated_at: at };
  await transact([...documentReplacement(refusedSales, tenant, before, after), ...writes]);
}

/** Makes a refused sale into one that was sold after all. */
export function refusalEnd(tenant: Tenant, before: VersionedRefusedSale, sale: Sale, sent: unknown) {
  const { id: sale_id, sold_amount: amount, creator_id, sent_by, retried_by, created_at } = sale;
  const { sold_at, happened_at } = sale;
  const { bodies, writes } = storeBody(tenant, before, sent, created_at);
  const sold = { status: 'sold', sale_id, amount, creator_id, attempts: before.attempts + 1 } as const;
  const times = { sold_at, happened_at, updated_at: created_at };
  const names = { sent_by: sent_by ?? before.sent_by, retried_by: retried_by ?? before.retried_by };
  return { after: { ...before, ...sold, ...names, ...times, bodies }, writes };
}

/** Builds the writes by which a refused sale is sold after all. */
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
  return { code: phrase.key, errors: status === 422 ? fields : null };
}
