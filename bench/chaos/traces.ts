import * as z from 'zod';
import { collections } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { readLines } from '#lib/records/lines.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, type RecordRef } from '#lib/table/keys.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { HoldLine, holds } from '#lib/trade/hold/record.ts';
import { refusedSales } from '#lib/trade/refused/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { nameOfQuantity } from './goods.ts';
import { ADDED } from './holds.ts';
import { type DocumentChange, traceOf } from './operation.ts';

/** What a document tells of the operations that made and changed it. */
const Header = z.object({
  id: z.int(),
  status: z.string(),
  comment: z.string().nullish(),
  opening_comment: z.string().nullish(),
  name: z.string().optional(),
  source_type: z.string().optional(),
  products_count: z.int().default(0),
  /** Set for good once it is completed, also if it is canceled then. */
  completed_at: z.number().nullish(),
  /** Of a posting: which way its money went, and which other one it takes back. */
  type: z.string().optional(),
  reversal_of_id: z.int().nullish(),
});

type Header = z.output<typeof Header>;

/** A type of documents in which operations leave traces. */
interface Book {
  readonly type: string;
  /** What a document has gone through, by its state; both states count of one completed, then canceled. */
  readonly changes?: Readonly<Record<string, DocumentChange>>;
  /** Further traces, in the comment, the name or the lines. */
  readonly tracesOf: (
    header: Header,
    place: RecordRef,
    familyId: number,
  ) => readonly string[] | Promise<readonly string[]>;
}

/** Of what two postings tell, the one that takes out tells it. */
const isTold = ({ source_type = '', type }: Header) =>
  /^(supplier|reason)$/.test(source_type) ||
  (/^(transfer|conversion)$/.test(source_type) && type === 'outcome');

const inComment = ({ comment }: Pick<Header, 'comment'>) => [comment ?? []].flat();

/** All types of documents in which operations leave traces. */
export const BOOKS: readonly Book[] = [
  { type: sales.type, changes: { full_returned: 'return' }, tracesOf: inComment },
  {
    type: goodsReceipts.type,
    changes: { completed: 'receipt', canceled: 'receipt cancel' },
    tracesOf: inComment,
  },
  {
    type: POSTING,
    changes: { canceled: 'money cancel' },
    // The postings of other documents have those documents' comments.
    tracesOf: (header, _, familyId) => [
      ...(isTold(header) ? inComment(header) : []),
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
  { type: refusedSales.type, changes: { sold: 'retry', dismissed: 'dismissal' }, tracesOf: () => [] },
];

/** Reads what operations have left in a document. */
export async function tracesIn({ type, changes = {}, tracesOf }: Book, familyId: number, item: Item) {
  const header = Header.parse(item);
  const { id, status, completed_at } = header;
  const own = await tracesOf(header, { type, tenant: familyTenant(familyId), id }, familyId);
  const states = typeof completed_at === 'number' ? new Set(['completed', status]) : [status];
  const gone = [...states].flatMap((state) => changes[state] ?? []);
  return [...own, ...gone.map((change) => traceOf(change, familyId, id))].map((trace) => ({ trace, id }));
}

/** Counts how often something was added to a hold, which is made of one line. */
async function timesAdded(place: RecordRef, { products_count }: Header): Promise<number> {
  const [, added] = await readLines(HoldLine, place, products_count);
  return (added?.quantity ?? 0) / (ADDED * ONE);
}
