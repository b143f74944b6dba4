import type * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import { vouch } from '#lib/records/stored.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { type Home, partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import type { Books } from './books.ts';
import type { MovedLine } from './entries.ts';

/** A type of records, as the table holds them. */
export interface StoredKind<S extends z.ZodType> {
  readonly type: string;
  readonly schema: S;
}

interface Header {
  readonly id: number;
  readonly products_count: number;
  /** The warehouses whose shelves belong to a document's history. */
  readonly stock_id?: number;
  readonly from_stock_id?: number;
  readonly to_stock_id?: number;
}

interface Line {
  readonly id: number;
  readonly product_id: number;
}

type Faults = readonly string[] | Promise<readonly string[]>;

/** A book of documents with lines. */
export interface DocumentBook<D extends z.ZodType<unknown, Header>, L extends z.ZodType<unknown, Line>> {
  /** `receipts`, and `receipt`. */
  readonly book: string;
  readonly noun: string;
  readonly kind: StoredKind<D> & { readonly line: L };
  /** True if no two documents have a line of the same id. */
  readonly hasOwnLines?: boolean;
  /** Finds what is wrong within a document. */
  readonly faultsOf: (document: z.input<D>, lines: readonly z.input<L>[]) => Faults;
  /** Ties a document to what it moved, and finds where the two differ. */
  readonly tiesOf: (document: z.input<D>, lines: readonly z.input<L>[]) => readonly string[];
}

/** Documents that are read at the same time. */
const STEP = 100;

/** Checks every document of a book against its lines, and ties it to what it moved. */
export async function checkDocuments<
  D extends z.ZodType<unknown, Header>,
  L extends z.ZodType<unknown, Line>,
>(books: Books, documents: DocumentBook<D, L>): Promise<void> {
  const { type, schema } = documents.kind;
  const lineIds = new Set<number>();
  for await (const items of walk(partition(type, books.home), STEP)) {
    await Promise.all(items.map((item) => checkDocument(books, documents, vouch(schema, item), lineIds)));
  }
}

async function checkDocument<D extends z.ZodType<unknown, Header>, L extends z.ZodType<unknown, Line>>(
  books: Books,
  { book, noun, kind: { type, line }, hasOwnLines, faultsOf, tiesOf }: DocumentBook<D, L>,
  document: z.input<D>,
  lineIds: Set<number>,
): Promise<void> {
  const { id, products_count, stock_id, from_stock_id, to_stock_id } = document;
  const { home } = books;
  books.count(book);
  const lines = await linesIfWhole(line, type, home, document);
  const stocks = [stock_id, from_stock_id, to_stock_id].filter((stock) => stock !== undefined);
  const shelves = stocks.flatMap((stock) =>
    (lines ?? []).map(({ product_id }) => balanceKey(home, stock, product_id)),
  );
  const keys = [recordKey(type, home, id), ...shelves];
  const subject = { book, subject: `${noun} ${id}`, keys, further: lines ?? [] };
  if (!lines) return books.report(subject, ['has fewer lines than it says']);
  books.count(`lines of ${book}`, lines.length);
  const found = await faultsOf(document, lines);
  const again = hasOwnLines ? lines.filter((each) => lineIds.has(each.id)) : [];
  if (hasOwnLines) for (const each of lines) lineIds.add(each.id);
  books.report(subject, [
    ...(lines.length === products_count ? [] : [`has ${lines.length} lines, but says ${products_count}`]),
    ...again.map((each) => `has line ${each.id}, which another ${noun} also has`),
    ...found,
    ...tiesOf(document, lines),
  ]);
}

/** Reads the lines of a document; undefined if there are fewer than it says. */
export async function linesIfWhole<S extends z.ZodType>(
  schema: S,
  type: string,
  home: Home,
  { id, products_count }: Header,
): Promise<z.input<S>[] | undefined> {
  try {
    return await readLines(schema, { type, home, id }, products_count);
  } catch (error) {
    if (error instanceof Contention) return undefined;
    throw error;
  }
}

/** Walks all records of a type. */
export async function* everyOf<S extends z.ZodType>(
  home: Home,
  { type, schema }: StoredKind<S>,
): AsyncGenerator<z.input<S>> {
  for await (const items of walk(partition(type, home))) {
    for (const item of items) yield vouch(schema, item);
  }
}

/** Finds whether a line took as much from batches as it is of. */
export function batchSumFaults({ id, quantity, batches }: Omit<MovedLine, 'product_id'>): string[] {
  const taken = totalQuantity(batches);
  return taken === quantity ? [] : [`line ${id} is of ${quantity}, but took ${taken} from batches`];
}
