import * as z from 'zod';
import type { Page } from '#lib/table/rows/request.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Call } from './definition/definition.ts';
import type { CallerWith, Right } from './definition/right.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { pageAnswer } from './paging.ts';
import { type FileOrLink, orFile } from './wire/answer.ts';

const Link = z.object({ url: z.string().nullable(), label: z.string(), active: z.boolean() });

/** The addresses around a page. */
export const PageLinks = z.object({
  first: z.string(),
  last: z.string(),
  prev: z.string().nullable(),
  next: z.string().nullable(),
});

/** The position of a page in its list. */
export const PageMeta = z.object({
  current_page: z.int(),
  from: z.int().nullable(),
  last_page: z.int(),
  links: z.array(Link),
  path: z.string(),
  per_page: z.int(),
  to: z.int().nullable(),
  total: z.int(),
});

/** Makes the schema of a paged answer. Part 1, "Shared conventions", 5. */
function pageOf<A extends z.ZodType>(row: A) {
  return z.object({ data: z.array(row), links: PageLinks, meta: PageMeta });
}

type ListCall<R extends Right, Q extends z.ZodType, P extends z.ZodType> = Pick<
  Call<R, z.ZodUndefined, Q, P>,
  'actor' | 'id' | 'params' | 'query' | 'at' | 'locale'
>;

/** What makes a workbook of all that a list shows: a `documentSheet`. Decisions, 1, "format=excel". */
interface ListSheet<A, Q> {
  give(
    call: Pick<ListCall<Right, z.ZodType, z.ZodType>, 'id' | 'at' | 'locale'> & {
      readonly actor: A;
      readonly query: Q;
    },
  ): Promise<z.input<typeof FileOrLink>>;
}

/**
 * Makes an operation that lists: `run` gives one page of rows, the caller gets `data`, `links` and `meta`, or
 * with `format=excel` the workbook that `sheet` makes of all pages.
 */
export function listing<
  R extends Right,
  Q extends z.ZodType,
  A extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
>(definition: {
  readonly right: R;
  readonly params?: P;
  readonly query: Q;
  /** The schema of one row. */
  readonly rows: A;
  readonly sheet?: ListSheet<CallerWith<R>, z.output<Q>>;
  readonly note?: string;
  run(call: ListCall<R, Q, P>): Promise<Page<z.input<A>>>;
}): Endpoint {
  const { right, params, query, rows, sheet, note } = definition;
  const notes = [note ?? [], sheet ? SHEET_NOTE : []].flat();
  return endpoint({
    right,
    ...(params && { params }),
    query,
    answers: sheet ? orFile(pageOf(rows)) : pageOf(rows),
    ...(sheet && { uses: ['exports:write', 'exports:read'] }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    run: async (call) => {
      if (!isForWorkbook(call.query)) return pageAnswer(call.url, await definition.run(call));
      if (!sheet) throw invalid({ format: 'validation.unknown' });
      return sheet.give(call);
    },
  });
}

const SHEET_NOTE =
  '`format=excel` gives the same rows as a workbook, all pages of them, up to 100 000. Over 4 MB the answer ' +
  'is a 302 to a link that is good for five minutes. Numbers may appear late, and some never: read the day ' +
  'again.';

const ForWorkbook = z.object({ format: z.literal('excel') });

/** Tells whether a query asks for a workbook. */
function isForWorkbook(query: unknown): boolean {
  return ForWorkbook.safeParse(query).success;
}
