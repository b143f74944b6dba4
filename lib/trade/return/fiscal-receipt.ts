import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { FiscalReceipt } from '#lib/trade/sale/input.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { readReturns, returnPackKey, SALE_RETURN, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { saleReturns } from './record.ts';

/** Path parameters of a return. */
export const ReturnParams = z.object({ model: Id, return_id: Id });

type StoredSale = Stored<typeof sales.schema>;

/** Time of a fiscal receipt, and the writes that save the response for idempotent replays. */
interface Occasion<T> {
  readonly at: Instant;
  readonly saveResponse: (response: T) => Write[];
}

/**
 * Adds the fiscal receipt of a sale, once. 400 if it has a different one, 404 as for the sale. Part 4, 4.6.
 */
export async function fiscalize(
  actor: Staff,
  id: number,
  fiscal: FiscalReceipt,
  { at, saveResponse }: Occasion<Sale>,
): Promise<Sale> {
  return retryOnContention(async () => {
    const sale = await getDocumentToChange(sales, actor, id);
    if (isNew(sale.fiscal, fiscal))
      return replaceSale(actor, sale, { ...fiscalReceiptFields(fiscal), at }, saveResponse);
    await transact(saveResponse(sale));
    return sale;
  });
}

/**
 * Adds a fiscal receipt missing from a sale whose idempotency key was sent again; other differences are
 * ignored.
 */
export async function fiscalizeIfMissing(
  actor: Staff,
  sale: Sale,
  fiscal: FiscalReceipt | null,
  at: Instant,
): Promise<Sale> {
  if (fiscal === null || sale.fiscal) return sale;
  return retryOnContention(async () => {
    // Read without a check of reach: access to the desk suffices, even for a sale of the desk's former
    // company.
    const item = await getItem(recordKey(sales.type, actor.tenant, sale.id));
    const known = parseRecord(sales.schema, item);
    return known.fiscal ? known : replaceSale(actor, known, { ...fiscalReceiptFields(fiscal), at });
  });
}

/**
 * Adds the fiscal receipt of a return, once: it also touches the sale and the return's header, because
 * replicas show it with both. 400 if it has a different one, 404 if the sale has no such return.
 */
export async function fiscalizeReturn(
  actor: Staff,
  { model, return_id: id }: z.output<typeof ReturnParams>,
  fiscal: FiscalReceipt,
  { at, saveResponse }: Occasion<SaleReturn>,
): Promise<SaleReturn> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const sale = await getDocumentToChange(sales, actor, model);
    const made = (await readReturns({ type: sales.type, tenant, id: model })).find((each) => each.id === id);
    if (!made) throw notFound();
    if (!isNew(made.fiscal, fiscal)) {
      await transact(saveResponse(made));
      return made;
    }
    const header = await requireHeader(tenant, id);
    const after = { ...made, fiscal };
    const key = returnPackKey(partition(SALE_RETURN, tenant), made, 0);
    await replaceSale(actor, sale, { at }, () => [
      update(key, { set: { fiscal } }, { if: absent('fiscal') }),
      ...documentReplacement(saleReturns, tenant, header, header),
      ...saveResponse(after),
    ]);
    return after;
  });
}

/** Reads the header of a return whose sale is within the caller's reach, regardless of the return's desk. */
async function requireHeader(tenant: Tenant, id: number): Promise<Stored<typeof saleReturns.schema>> {
  return parseRecord(saleReturns.schema, await getItem(recordKey(SALE_RETURN, tenant, id)));
}

/** Returns the fields of a sale with a fiscal receipt. */
export function fiscalReceiptFields(fiscal: FiscalReceipt) {
  return { fiscal, is_fiscalized: true };
}

function isNew(before: FiscalReceipt | null | undefined, fiscal: FiscalReceipt): boolean {
  if (!before) return true;
  if (isDeepStrictEqual({ ...before }, { ...fiscal })) return false;
  throw badRequest('sale.fiscalized');
}

async function replaceSale(
  { tenant }: Staff,
  before: StoredSale,
  { at, ...change }: Partial<Pick<Sale, 'fiscal' | 'is_fiscalized'>> & { readonly at: Instant },
  further: (after: Sale) => readonly Write[] = () => [],
): Promise<Sale> {
  const after = { ...before, ...change, updated_at: at };
  await transact([...documentReplacement(sales, tenant, before, after), ...further(after)]);
  return after;
}
