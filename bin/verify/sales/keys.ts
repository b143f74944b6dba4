import { desks } from '#lib/cash/desk/desk.ts';
import { countWaitingByDesk } from '#lib/cash/desk/waiting.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { bodyKey } from '#lib/trade/refused/body.ts';
import { refusedSales, type StoredRefusedSale } from '#lib/trade/refused/record.ts';
import { readSaleKey } from '#lib/trade/sale/idempotency-key.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless } from '../frame/ledger.ts';

const BOOK = 'refused sales';

/**
 * Checks that a sale's key is reserved by it: otherwise a repeated upload would sell it again. Part 4, 4.4,
 * 1.
 */
export async function keyFaults(
  { tenant }: Books,
  { id, key, cashbox_id }: Pick<Sale, 'id' | 'key' | 'cashbox_id'>,
): Promise<string[]> {
  if (key === null) return [];
  const known = await readSaleKey(tenant, { key, cashbox_id });
  const isOwn = known !== undefined && 'sale_id' in known && known.sale_id === id;
  return faultUnless(isOwn, `has the key ${key}, which is claimed by something else`);
}

/** Checks that every refused sale has its key, and that each desk counts its refused sales right. */
export async function checkRefusedSales(books: Books): Promise<void> {
  const { tenant } = books;
  const waiting = new Map<number, number>();
  for await (const refused of everyOf(tenant, refusedSales)) {
    const { id, cashbox_id, status } = refused;
    books.count(BOOK);
    if (status === 'waiting') waiting.set(cashbox_id, (waiting.get(cashbox_id) ?? 0) + 1);
    const faults = await refusalFaults(books, refused);
    books.reportRecord({ book: BOOK, noun: 'refused sale', type: refusedSales.type, id }, faults);
  }
  const counts = await countWaitingByDesk(tenant);
  for (const id of new Set([...counts.keys(), ...waiting.keys()])) {
    const [says, are] = [counts.get(id) ?? 0, waiting.get(id) ?? 0];
    const faults = faultUnless(says === are, `says that ${says} refused sales wait, and ${are} do`);
    books.report({ book: BOOK, subject: `desk ${id}`, keys: [recordKey(desks.type, tenant, id)] }, faults);
  }
}

async function refusalFaults({ tenant }: Books, refused: StoredRefusedSale): Promise<string[]> {
  const { id, key, status, sale_id, attempts, bodies } = refused;
  const known = await readSaleKey(tenant, refused);
  const soldAs = known && 'sale_id' in known ? known.sale_id : null;
  const isSame = soldAs === sale_id && (soldAs !== null) === (status === 'sold');
  const isIts = known?.refused_id === id && isSame;
  const stored = await getItems(bodies.map(({ number }) => bodyKey(tenant, id, number)));
  const lost = stored.filter((item) => item === undefined).length;
  return [
    ...faultUnless(isIts, `is ${status}, and its key ${key} is not`),
    ...faultUnless((status === 'sold') === (sale_id !== null), `is ${status}, and its sale is ${sale_id}`),
    ...faultUnless(bodies.length <= attempts, `has ${bodies.length} bodies of ${attempts} attempts`),
    ...faultUnless(lost === 0, `lacks ${lost} of its bodies`),
  ];
}
