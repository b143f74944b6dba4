import type * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { type Key, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import type { Books } from './books.ts';
import type { MovedLine } from './entries.ts';
import { faultUnless } from './ledger.ts';

/** A type of records, as stored. */
export interface StoredKind<S extends z.ZodType> {
  readonly type: string;
  readonly schema: S;
}

interface Header {
  readonly id: number;
  readonly products_count: number;
  /** Warehouses whose stock levels belong to a document's history. */
  readonly stock_id?: number;
  readonly from_stock_id?: number;
  readonly to_stock_id?: number;
}

interface Line {
  readonly id: number;
  readonly product_id: number;
}

/** A book of documents with lines. */
interface DocumentBook<D extends z.ZodType<unknown, Header>, L extends z.ZodType<unknown, Line>> {
  /** `goodsReceipts`, and `draftGoodsReceipt`. */
  readonly book: string;
  readonly noun: string;
  readonly kind: StoredKind<D> & { readonly line: L };
  /** True if line ids are unique across documents. */
  readonly hasOwnLines?: boolean;
}

/** Documents read concurrently. */
const STEP = 100;

/** Checks every document of a book against its lines, and by its own checker. */
export async function checkDocuments<
  D extends z.ZodType<unknown, Header>,
  L extends z.ZodType<unknown, Line>,
>(
  books: Books,
  { book, noun, kind, hasOwnLines = false }: DocumentBook<D, L>,
  faultsOf: (document: z.input<D>, lines: readonly z.input<L>[]) => string[] | Promise<string[]>,
): Promise<void> {
  const { tenant } = books;
  const { type, schema, line } = kind;
  const lineIds = new Set<number>();
  const check = async (document: z.input<D>) => {
    const { id, products_count: says } = document;
    books.count(book);
    const lines = await linesIfWhole(line, type, tenant, document);
    const keys = [recordKey(type, tenant, id), ...stockLevelsOf(tenant, document, lines ?? [])];
    const subject = { book, subject: `${noun} ${id}`, keys, further: lines ?? [] };
    if (!lines) return books.report(subject, ['has fewer lines than it says']);
    books.count(`lines of ${book}`, lines.length);
    const found = await faultsOf(document, lines);
    const again = hasOwnLines ? lines.filter((each) => lineIds.has(each.id)) : [];
    for (const each of lines) lineIds.add(each.id);
    books.report(subject, [
      ...faultUnless(lines.length === says, `has ${lines.length} lines, but says ${says}`),
      ...again.map((each) => `has line ${each.id}, which another ${noun} also has`),
      ...found,
    ]);
  };
  for await (const items of walk(partition(type, tenant), STEP)) {
    await Promise.all(items.map((item) => check(parseStored(schema, item))));
  }
}

function stockLevelsOf(tenant: Tenant, document: Header, lines: readonly Line[]): Key[] {
  const stocks = [document.stock_id, document.from_stock_id, document.to_stock_id];
  return stocks
    .filter((stock) => stock !== undefined)
    .flatMap((stock) => lines.map(({ product_id }) => stockLevelKey(tenant, stock, product_id)));
}

/** Reads the lines of a document; undefined if it has fewer than its header counts. */
export async function linesIfWhole<S extends z.ZodType>(
  schema: S,
  type: string,
  tenant: Tenant,
  { id, products_count }: Header,
): Promise<z.input<S>[] | undefined> {
  try {
    return await readLines(schema, { type, tenant, id }, products_count);
  } catch (error) {
    if (error instanceof Contention) return undefined;
    throw error;
  }
}

/** Walks all records of a type. */
export async function* everyOf<S extends z.ZodType>(
  tenant: Tenant,
  { type, schema }: StoredKind<S>,
): AsyncGenerator<z.input<S>> {
  for await (const items of walk(partition(type, tenant))) {
    for (const item of items) yield parseStored(schema, item);
  }
}

/** Checks that a document's amount is the sum of its lines. */
export function sumFaults(amount: MinorUnits, lines: readonly { readonly amount: MinorUnits }[]): string[] {
  const sum = totalAmount(lines);
  return faultUnless(amount === sum, `comes to ${amount}, its lines to ${sum}`);
}

/** Checks that a line's batch parts add up to its quantity. */
export function batchSumFaults({ id, quantity, batches }: Omit<MovedLine, 'product_id'>): string[] {
  const taken = totalQuantity(batches);
  return faultUnless(taken === quantity, `line ${id} is of ${quantity}, but took ${taken} from batches`);
}
