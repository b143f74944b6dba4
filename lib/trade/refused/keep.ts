import type { Staff } from '#lib/access/actor.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, transact } from '#lib/table/transaction/transact.ts';
import { type RefusedKey, refusalClaimWrite } from '#lib/trade/sale/key.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { KeptRefusal, Refusal } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { keepBody } from './body.ts';
import { type Refused, refusedSales, StoredRefusedSale } from './record.ts';
import { waitingWrite } from './waiting.ts';

/** A late sale as it came, as far as it can be read. */
export interface LateSale
  extends Pick<StoredRefusedSale, 'key' | 'cashbox_id' | 'creator_id' | 'sold_at' | 'amount'> {
  /** Its body as it was sent; undefined if a retry sends none. */
  readonly sent: unknown;
}

/**
 * Reads the refused sale of a key that a desk sends again. `Contention` if it has been sold since, 422 if it
 * was dismissed, 409 if it is another desk's. One round trip. Part 4, 4.4, 5.
 */
export async function readWaiting(
  home: Home,
  { refused_id }: RefusedKey,
  cashboxId: number,
): Promise<Refused> {
  const item = await getItem(recordKey(refusedSales.type, home, refused_id));
  const refused = vouchRecord(StoredRefusedSale, item);
  if (refused.status === 'sold') throw new Contention();
  if (refused.status === 'dismissed') throw dismissal(refused.id);
  if (refused.cashbox_id !== cashboxId) throw new Refusal(409, { key: 'sale.key_reused' });
  return refused;
}

function dismissal(id: number): KeptRefusal {
  return new KeptRefusal(new Refusal(422, { key: 'sale.dismissed' }, { key: { key: 'sale.dismissed' } }), id);
}

/** Keeps a late sale that was refused for the first time. `Contention` if its key is anybody's by now. */
export async function keepRefused(
  { home, id: sent_by }: Staff,
  { sent, ...late }: LateSale & Pick<StoredRefusedSale, 'company_id'>,
  refusal: Refusal,
  at: Instant,
): Promise<number> {
  const id = await nextId(refusedSales.type, home);
  const { sizes, writes } = keepBody(home, { id, sizes: [] }, sent);
  const refused: StoredRefusedSale = {
    ...late,
    id,
    ...reasonOf(refusal),
    attempts: 1,
    status: 'waiting',
    comment: null,
    sale_id: null,
    sent_by,
    sizes,
    created_at: at,
    updated_at: at,
  };
  await transact([
    documentInsertion(refusedSales, home, refused),
    ...writes,
    refusalClaimWrite(home, late.key, { refused_id: id, cashbox_id: late.cashbox_id }),
    waitingWrite(home, late.cashbox_id, 1),
  ]);
  return id;
}

/** Keeps one that was refused again, with the body that came. `Contention` if it has changed since. */
export async function keepRefusedAgain(
  home: Home,
  before: Refused,
  { sent, ...late }: Partial<LateSale> & Partial<Pick<StoredRefusedSale, 'sent_by'>>,
  { refusal, at }: { readonly refusal: Refusal; readonly at: Instant },
): Promise<void> {
  const { sizes, writes } = keepBody(home, before, sent);
  const attempts = before.attempts + 1;
  const after = { ...before, ...late, ...reasonOf(refusal), attempts, sizes, updated_at: at };
  await transact([...documentReplacement(refusedSales, home, before, after), ...writes]);
}

/** Builds the writes by which a refused sale is sold after all. */
export function refusalEndWrites(home: Home, before: Refused, sale: Sale, sent: unknown): Write[] {
  const { sizes, writes } = keepBody(home, before, sent);
  const sold = { status: 'sold', sale_id: sale.id, attempts: before.attempts + 1 } as const;
  const after = { ...before, ...sold, sizes, updated_at: sale.created_at };
  return [
    ...documentReplacement(refusedSales, home, before, after),
    ...writes,
    waitingWrite(home, before.cashbox_id, -1),
  ];
}

function reasonOf({ status, phrase, fields }: Refusal) {
  return { code: phrase.key, errors: status === 422 ? fields : null };
}
