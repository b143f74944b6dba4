import * as z from 'zod';

/** Bytes that an answer with lines may have: a function answers with 6 MB at most. Part 4, 4.1. */
const MAX_BYTES = 4_000_000;

/** The fewest bytes of a line in an answer. */
const LEAST_BYTES = 100;

/** How many lines an answer can surely not have: what is beyond need not be read. */
export const MAX_RESPONSE_LINES = MAX_BYTES / LEAST_BYTES;

/** The fewest bytes of a line with the card of its goods: names and values of forty fields. */
const LEAST_BYTES_WITH_CARD = 800;

/** How many lines with cards an answer can surely not have. */
export const MAX_LINES_WITH_CARDS = MAX_BYTES / LEAST_BYTES_WITH_CARD;

/** What callers must know of lists that offer lines. */
export const LINES_NOTE =
  '`with[]=products` shows the first 100 lines of each row, without cards, on pages of up to 20 rows. A row ' +
  'whose lines would make the answer larger than 4 MB has `products: null` and `lines_left_out: true`.';

/** Lines as a list shows them beside their document. */
export interface LinesOfRow<L extends z.ZodType> {
  readonly products: z.input<L>[] | null;
  readonly lines_left_out?: true;
}

/** Gives the fields that `with[]=products` adds to the rows of a list. */
export function fieldsOfLines<L extends z.ZodType>(line: L) {
  return { products: z.array(line).nullish(), lines_left_out: z.literal(true).optional() };
}

/**
 * Decides which rows of a list are shown with their lines, in their order: those with which the answer stays
 * within 4 MB. Lines that were too many to be read are undefined.
 */
export function fitLines<S extends z.ZodType, L extends z.ZodType>(
  { row: Row, line: Line }: { readonly row: S; readonly line: L },
  rows: readonly z.input<S>[],
  linesOf: readonly (readonly z.input<L>[] | undefined)[],
): LinesOfRow<L>[] {
  let left = MAX_BYTES - bytesOf(z.array(Row), rows);
  return rows.map((_, index) => {
    const lines = linesOf[index];
    const bytes = lines ? bytesOf(z.array(Line), lines) : Number.POSITIVE_INFINITY;
    if (!lines || bytes > left) return { products: null, lines_left_out: true };
    left -= bytes;
    return { products: [...lines] };
  });
}

function bytesOf(schema: z.ZodType, stored: unknown): number {
  return Buffer.byteLength(JSON.stringify(schema.parse(stored)));
}
