import type * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import type { Home } from '#lib/table/keys.ts';
import { Contention } from '#lib/table/transaction/transact.ts';

/** Reads the lines of a document; undefined if there are fewer than it says. */
export async function linesOf<S extends z.ZodType>(
  schema: S,
  type: string,
  home: Home,
  { id, products_count }: { readonly id: number; readonly products_count: number },
): Promise<z.input<S>[] | undefined> {
  try {
    return await readLines(schema, { type, home, id }, products_count);
  } catch (error) {
    if (error instanceof Contention) return undefined;
    throw error;
  }
}
