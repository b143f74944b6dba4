import * as z from 'zod';
import { TARIFF_ENTRY } from '#lib/billing/entry.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { repricings } from '#lib/catalog/repricing/record.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { debtWriteOffs } from '#lib/clients/debt/write-off-record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { readLines } from '#lib/records/lines.ts';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, type RecordRef } from '#lib/table/keys.ts';
import { COST_CORRECTION } from '#lib/trade/goods-receipt/cost-correction.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { HoldLine, holds } from '#lib/trade/hold/record.ts';
import { refusedSales } from '#lib/trade/refused/record.ts';
import { Agreement, sales } from '#lib/trade/sale/record.ts';
import { SALE_TENDER } from '#lib/trade/sale-tender/record.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { nameOfQuantity } from './goods.ts';
import { ADDED } from './holds.ts';
import { type DocumentChange, traceOf } from './operation.ts';

/** Fields of a document that identify the operations which made and changed it. */
const Header = z.object({
  id: z.int(),
  /** Of documents with states. */
  status: z.string().default(''),
  /** Of a tariff entry: its payment. */
  external_id: z.string().nullish(),
  source_data: z.unknown().optional(),
  comment: z.string().nullish(),
  opening_comment: z.string().nullish(),
  name: z.string().optional(),
  source_type: z.string().optional(),
  products_count: z.int().default(0),
  /** Set once at completion, and kept if it is canceled later. */
  completed_at: z.number().nullish(),
  /** Of a posting: its direction, and the posting it reverses. */
  type: z.string().optional(),
  reversal_of_id: z.int().nullish(),
  /** Of a debt and of a correction of payment types; null for an opening debt. */
  sale_id: z.int().nullish(),
});

type Header = z.output<typeof Header>;

/** Type of documents in which operations leave traces. */
interface Book {
  readonly type: string;
  /** Changes of a document, by its state; a completed, then canceled one counts for both states. */
  readonly changes?: Readonly<Record<string, DocumentChange>>;
  /** Further traces, in the comment, the name or the lines. */
  readonly tracesOf: (
    header: Header,
    place: RecordRef,
    familyId: number,
  ) => readonly string[] | Promise<readonly string[]>;
}

/**
 * Of the two postings of one move, only the one that takes money out counts. The reversal of a supplier's
 * payment leaves its trace in their operation.
 */
const hasTrace = ({ source_type = '', type, reversal_of_id }: Header) =>
  source_type === 'reason' ||
  (source_type === 'supplier' && typeof reversal_of_id !== 'number') ||
  (/^(transfer|conversion|tender)$/.test(source_type) && type === 'outcome');

const inComment = ({ comment }: Pick<Header, 'comment'>) => [comment ?? []].flat();

/** A sale on credit has no comment: its agreement's number is the operation's name. */
const inAgreement = ({ source_data }: Pick<Header, 'source_data'>) => {
  const agreement = Agreement.safeParse(source_data).data;
  return agreement ? [agreement.agreement_number] : [];
};

/** All types of documents in which operations leave traces. */
export const BOOKS: readonly Book[] = [
  {
    type: sales.type,
    changes: { full_returned: 'return' },
    tracesOf: (header) => [...inComment(header), ...inAgreement(header)],
  },
  {
    type: TARIFF_ENTRY,
    tracesOf: ({ comment, external_id }) => [...inComment({ comment }), ...[external_id ?? []].flat()],
  },
  {
    type: goodsReceipts.type,
    changes: { completed: 'receipt', canceled: 'receipt cancel' },
    tracesOf: inComment,
  },
  {
    type: POSTING,
    changes: { canceled: 'money cancel' },
    // Postings of other documents have those documents' comments.
    tracesOf: (header, _, familyId) => [
      ...(hasTrace(header) ? inComment(header) : []),
      ...[header.reversal_of_id ?? []].flat().map((id) => traceOf('money return', familyId, id)),
    ],
  },
  { type: collections.type, changes: { completed: 'collection' }, tracesOf: inComment },
  {
    type: holds.type,
    changes: { canceled: 'cancel' },
    tracesOf: async (header, place, familyId) => {
      const added = Array.from({ length: await timesAdded(place, header) }, () =>
        traceOf('addition', familyId, header.id),
      );
      return [...inComment(header), ...added];
    },
  },
  {
    type: writeOffs.type,
    changes: { completed: 'write-off', canceled: 'write-off cancel' },
    tracesOf: ({ name = '' }) => [name],
  },
  {
    type: stockTransfers.type,
    changes: { completed: 'arrival', canceled: 'way back' },
    tracesOf: async ({ products_count }, place) => {
      const lines = await readLines(StockTransferLine, place, products_count);
      return lines.map(({ quantity }) => nameOfQuantity(quantity));
    },
  },
  {
    type: shifts.type,
    changes: { closed: 'shift' },
    tracesOf: ({ opening_comment: comment }) => inComment({ comment }),
  },
  { type: stocktakes.type, changes: { completed: 'count' }, tracesOf: inComment },
  { type: deposits.type, tracesOf: inComment },
  { type: debtWriteOffs.type, tracesOf: inComment },
  // Debts of sales have the sales' comments.
  { type: debts.type, tracesOf: (header) => (header.sale_id === null ? inComment(header) : []) },
  {
    type: supplierOperations.type,
    tracesOf: (header) =>
      typeof header.reversal_of_id === 'number' || header.source_type === 'adjustment'
        ? inComment(header)
        : [],
  },
  { type: COST_CORRECTION, tracesOf: inComment },
  {
    type: SALE_TENDER,
    tracesOf: ({ sale_id }, _, familyId) =>
      [sale_id ?? []].flat().map((id) => traceOf('tender correction', familyId, id)),
  },
  { type: repricings.type, changes: { canceled: 'repricing cancel' }, tracesOf: () => [] },
  { type: refusedSales.type, changes: { sold: 'retry', dismissed: 'dismissal' }, tracesOf: () => [] },
];

/** Reads the traces of operations in a document. */
export async function tracesIn({ type, changes = {}, tracesOf }: Book, familyId: number, item: Item) {
  const header = Header.parse(item);
  const { id, status, completed_at } = header;
  const own = await tracesOf(header, { type, tenant: familyTenant(familyId), id }, familyId);
  const states = typeof completed_at === 'number' ? new Set(['completed', status]) : [status];
  const gone = [...states].flatMap((state) => changes[state] ?? []);
  return [...own, ...gone.map((change) => traceOf(change, familyId, id))].map((trace) => ({ trace, id }));
}

/** Counts additions to a hold that was created with one line. */
async function timesAdded(place: RecordRef, { products_count }: Header): Promise<number> {
  const [, added] = await readLines(HoldLine, place, products_count);
  return (added?.quantity ?? 0) / (ADDED * ONE);
}
