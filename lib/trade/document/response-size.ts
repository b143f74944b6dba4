import * as z from 'zod';

/** Limit of a response with lines in bytes: a function returns at most 6 MB. Part 4, 4.1. */
const MAX_BYTES = 4_000_000;

/** Minimum size of a line in a response, in bytes. */
const MIN_LINE_BYTES = 100;

/** Upper bound of the lines in a response; further ones need not be read. */
export const MAX_RESPONSE_LINES = MAX_BYTES / MIN_LINE_BYTES;

/** Minimum size of a line with its product card, in bytes: names and values of forty fields. */
const MIN_LINE_BYTES_WITH_CARD = 800;

/** Upper bound of the lines with cards in a response. */
export const MAX_LINES_WITH_CARDS = MAX_BYTES / MIN_LINE_BYTES_WITH_CARD;

/** Published note on lists with optional lines. */
export const LINES_NOTE =
  '`with[]=products` includes the first 100 lines of each row, without product cards, on pages of up to 20 ' +
  'rows. A row whose lines would make the response larger than 4 MB has `products: null` and ' +
  '`lines_left_out: true`.';

/** Lines of a document in a list. */
export interface LinesOfRow<L extends z.ZodType> {
  readonly products: z.input<L>[] | null;
  readonly lines_left_out?: true;
}

/** Returns the fields that `with[]=products` adds to a list's rows. */
export function fieldsOfLines<L extends z.ZodType>(line: L) {
  return { products: z.array(line).nullish(), lines_left_out: z.literal(true).optional() };
}

/**
 * Selects the rows of a list to be returned with their lines, in order, as long as the response stays within
 * 4 MB. Lines are undefined if there were too many to read.
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
