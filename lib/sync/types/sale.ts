import * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { EMBEDDED, type RecordHeader } from '#lib/sync/definition/definition.ts';
import {
  defineSyncWithLines,
  linesField,
  type ReadParts,
  readLinesOf,
} from '#lib/sync/definition/with-lines.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { headerOf, ReturnHeader, ReturnRow, saleReturns, sameOf } from '#lib/trade/return/record.ts';
import { Sale, SaleLine, sales } from '#lib/trade/sale/record.ts';
import { packsOfReturn, readReturns, readReturnsAt, type SaleReturn } from '#lib/trade/sale/returns-of.ts';

const CopiedSale = Sale.omit({ ...EMBEDDED, cashbox: true, stock: true, client: true }).extend({
  ...linesField(SaleLine.omit({ product: true })),
  returns: z.array(ReturnRow),
});

const readLines = readLinesOf(sales);

const readSaleParts: ReadParts = async (heads, view) => {
  const { tenant } = view.actor;
  const [lines, returns] = await Promise.all([
    readLines(heads, view),
    Promise.all(heads.map((head) => readRowsOf(tenant, head))),
  ]);
  return heads.map((_, index) => {
    const part = lines[index];
    return part && { ...part, returns: returns[index] ?? [] };
  });
};

/** Sync of sales, each with its returns. */
export const saleSync = () => defineSyncWithLines(sales, CopiedSale, readSaleParts);

const readReturnParts: ReadParts = async (heads, { actor: { tenant } }) => {
  const headers = heads.map((head) => parseStored(ReturnHeader, head));
  const places = headers.map((header) => ({ ...header, packs: packsOfReturn(header) }));
  const made = await readReturnsAt(tenant, places);
  return headers.map((header, index) => {
    const each = made[index];
    return each && partsOf(header, each);
  });
};

/** Sync of returns. */
export const returnSync = () => defineSyncWithLines(saleReturns, ReturnRow, readReturnParts);

/** Reads the returns of a sale as its list shows them. No round trip if it has none. */
async function readRowsOf(tenant: Tenant, head: RecordHeader) {
  if (head['status'] === 'completed') return [];
  const sale = parseStored(Sale, head);
  const made = await readReturns({ type: sales.type, tenant, id: sale.id });
  return made.map((each) => {
    const header = headerOf(sale, each, each.stock_id);
    return { ...header, ...partsOf(header, each) };
  });
}

function partsOf({ has_one_comment }: ReturnHeader, made: SaleReturn) {
  const { transactions, fiscal, products, services = [], vat_amount, vat, written_off_amount } = made;
  const all = [...products, ...services];
  const comment = has_one_comment ? sameOf(all.map((line) => line.comment)) : null;
  return { comment, transactions, fiscal, products, services, vat_amount, vat, written_off_amount };
}
