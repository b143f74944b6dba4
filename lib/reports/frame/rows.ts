import type * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import type { Expression } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { listIds, walkRows } from '#lib/table/list/walk-list.ts';
import { invalid } from '#lib/values/api-error.ts';

/** Most rows of a report: they surely fit into 29 seconds. Part 4, 4.5. */
const MAX_ROWS = 200_000;

/** Reads the fields of all rows of a list. 422 on the filter if there are too many. */
export async function readRowsOf<S extends z.ZodObject>(
  source: Source,
  {
    fields,
    where,
    filter,
  }: { readonly fields: S; readonly where: readonly Expression[]; readonly filter: string },
  max = MAX_ROWS,
): Promise<z.input<S>[]> {
  const only = Object.keys(fields.shape);
  const list = { where, sort: { field: 'id', descending: false }, only };
  const { ids, total } = await listIds(source, list, max);
  if (total > max) throw invalid({ [filter]: { key: 'report.too_many_rows', with: { max } } });
  const found: z.input<S>[] = [];
  for await (const rows of walkRows(source, ids, list))
    found.push(...rows.map((row) => parseStored(fields, row)));
  return found;
}
