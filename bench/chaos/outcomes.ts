import * as z from 'zod';
import { collections } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { readLines } from '#lib/records/lines.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, partition, type RecordRef } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { HoldLine, holds } from '#lib/trade/hold/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { ONE } from '#lib/values/quantity.ts';
import { nameOfQuantity } from './goods.ts';
import { type DocumentChange, traceOf } from './operation.ts';
import type { StepOutcome } from './perform.ts';
import { ADDED } from './sell.ts';

/** What a document tells of the operations that made and changed it. */
const Header = z.object({
  id: z.int(),
  status: z.string(),
  comment: z.string().nullish(),
  opening_comment: z.string().nullish(),
  name: z.string().optional(),
  source_type: z.string().optional(),
  products_count: z.int().default(0),
});

type Header = z.output<typeof Header>;

/** A type of documents in which operations leave traces. */
interface Book {
  readonly type: string;
  /** What a document has gone through, by its state. */
  readonly changes?: Readonly<Record<string, DocumentChange>>;
  /** Further traces, in the comment, the name or the lines. */
  readonly tracesOf: (
    header: Header,
    place: RecordRef,
    familyId: number,
  ) => readonly string[] | Promise<readonly string[]>;
}

const inComment = ({ comment }: Pick<Header, 'comment'>) => [comment ?? []].flat();

const BOOKS: readonly Book[] = [
  { type: sales.type, changes: { full_returned: 'return' }, tracesOf: inComment },
  { type: goodsReceipts.type, changes: { completed: 'receipt' }, tracesOf: inComment },
  {
    type: POSTING,
    // The postings of other documents have those documents' comments.
    tracesOf: (header) => (/^(supplier|reason)$/.test(header.source_type ?? '') ? inComment(header) : []),
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
  { type: writeOffs.type, changes: { completed: 'write-off' }, tracesOf: ({ name = '' }) => [name] },
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
];

/** As many documents are looked at side by side as there are connections. */
const SIDE_BY_SIDE = 50;

/** The ids of documents, by the traces that operations have left in them. */
type Done = Map<string, number[]>;

/** Finds out what was done in families. */
export async function readOutcomes(familyIds: readonly number[]): Promise<Done> {
  const done: Done = new Map();
  for (const familyId of familyIds) {
    for (const book of BOOKS) {
      for await (const items of walk(partition(book.type, familyTenant(familyId)))) {
        const found = await mapConcurrent(items, SIDE_BY_SIDE, (item) => tracesIn(book, familyId, item));
        for (const { trace, id } of found.flat()) done.set(trace, [...(done.get(trace) ?? []), id]);
      }
    }
  }
  return done;
}

async function tracesIn({ type, changes = {}, tracesOf }: Book, familyId: number, item: Item) {
  const header = Header.parse(item);
  const { id, status } = header;
  const own = await tracesOf(header, { type, tenant: familyTenant(familyId), id }, familyId);
  const change = changes[status];
  return [...own, ...(change ? [traceOf(change, familyId, id)] : [])].map((trace) => ({ trace, id }));
}

/** Counts how often something was added to a hold, which is made of one line. */
async function timesAdded(place: RecordRef, { products_count }: Header): Promise<number> {
  const [, added] = await readLines(HoldLine, place, products_count);
  return (added?.quantity ?? 0) / (ADDED * ONE);
}

/** Compares what clients were told with what was done; answers with what does not agree. */
export function disagreements(told: readonly StepOutcome[], done: Done): { name: string; what: string }[] {
  const byTrace = Map.groupBy(told, ({ operation: { name, trace = name } }) => trace);
  return told.flatMap(({ operation, outcome, ids, statuses }) => {
    const { name, trace = name } = operation;
    if (trace === null) return [];
    // Two may close one shift: the one who is refused finds it closed by the other.
    const isOthers = byTrace.get(trace)?.some((each) => each.outcome !== 'refused');
    const made = done.get(trace) ?? [];
    const say = (what: string) => [{ name, what: `${name}, ${operation.request}: ${what}` }];
    if (made.length > 1) return say(`done ${made.length} times, as ${made.join(', ')}`);
    if (outcome === 'done' && made.length === 0) return say(`answered ${statuses}, and not done`);
    if (outcome === 'refused' && made.length > 0 && !isOthers)
      return say(`answered ${statuses}, and done as ${made}`);
    if (ids.some((id) => id !== made[0])) return say(`answered ${ids}, and done as ${made}`);
    return [];
  });
}
