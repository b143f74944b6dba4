import * as z from 'zod';
import { type Totaled, totalsOfQuery, totalsSchema } from '#lib/records/query/totals.ts';
import type { Page } from '#lib/table/read/request.ts';
import { invalid } from '#lib/values/api-error.ts';
import type { Call, CallerWith, FurtherRights, Resource, Right } from './definition/definition.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { type FileOrLink, orFile } from './wire/response.ts';

const Link = z.object({ url: z.string().nullable(), label: z.string(), active: z.boolean() });

/** The URLs of the pages around a page. */
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

/**
 * Returns the schema of a paged response, with totals if the list has them. Part 1, "Shared conventions", 5;
 * Part 5, 5B.7, 3.
 */
function pageOf<A extends z.ZodType>(row: A, totals: Totaled | undefined) {
  const meta = totals ? PageMeta.extend({ totals: totalsSchema(totals).optional() }) : PageMeta;
  return z.object({ data: z.array(row), links: PageLinks, meta });
}

type ListCall<R extends Right, Q extends z.ZodType, P extends z.ZodType> = Pick<
  Call<R, z.ZodUndefined, Q, P>,
  'actor' | 'id' | 'params' | 'query' | 'at' | 'locale'
>;

/** Makes a workbook of all rows of a list: a `documentSheet`. Contract 1, "format=excel". */
export interface ListSheet<A, Q, P> {
  give(
    call: Pick<ListCall<Right, z.ZodType, z.ZodType>, 'id' | 'at' | 'locale'> & {
      readonly actor: A;
      readonly query: Q;
      readonly params: P;
    },
  ): Promise<z.input<typeof FileOrLink>>;
}

/**
 * Returns the function of a list operation: `run` returns one page of rows, the caller gets `data`, `links`
 * and `meta`, or with `format=excel` the workbook that `sheet` makes of all pages.
 */
export function listing<
  R extends Right,
  Q extends z.ZodType,
  A extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
>(definition: {
  readonly right: R;
  readonly mayNeed?: FurtherRights;
  readonly params?: P;
  readonly query: Q;
  /** The schema of one row. */
  readonly rows: A;
  readonly sheet?: ListSheet<CallerWith<R>, z.output<Q>, z.output<P>>;
  /** Resources besides those of a list. */
  readonly uses?: readonly Resource[];
  readonly about?: string;
  readonly note?: string;
  run(call: ListCall<R, Q, P>): Promise<Page<z.input<A>>>;
}): Endpoint {
  const { right, mayNeed, params, query, rows, sheet, uses = [], about, note } = definition;
  const totals = totalsOfQuery(query);
  const notes = [note ?? [], totals ? TOTALS_NOTE : [], sheet ? SHEET_NOTE : []].flat();
  const page = pageOf(rows, totals);
  return endpoint({
    right,
    ...(mayNeed && { mayNeed }),
    ...(about !== undefined && { about }),
    ...(params && { params }),
    query,
    isPaged: true,
    response: sheet ? orFile(page) : page,
    uses: [...uses, ...(sheet ? SHEET_FILES : [])],
    ...(notes.length > 0 && { note: notes.join(' ') }),
    run: async (call) => {
      if (!ForWorkbook.safeParse(call.query).success)
        return pageResponse(call.url, await definition.run(call));
      if (!sheet) throw invalid({ format: 'validation.unknown' });
      return sheet.give(call);
    },
  });
}

const TOTALS_NOTE =
  '`totals=true` adds `meta.totals`: the number and the amounts of the rows of all pages, by currency. Beyond ' +
  '20 000 rows it is 422: filter by a period or a desk.';

const SHEET_FILES = ['exports:write', 'exports:read'] as const;

const SHEET_NOTE =
  '`format=excel` returns all rows of all pages as a workbook, up to 100 000. Over 4 MB the response is a ' +
  '302 to a link valid for five minutes. Ids are allocated before commit: a lower id can appear later, or ' +
  'never. Re-read the whole day, or use `/company/sync`.';

const ForWorkbook = z.object({ format: z.literal('excel') });

const EACH_SIDE = 3;
const SHOWN_WHOLE = 8;

/**
 * Returns a page with its links and counts, in the format of Laravel's paginator. Part 1, "Shared
 * conventions", 5.
 */
export function pageResponse<Row>(url: URL, { rows, total, page, pageSize, totals }: Page<Row>) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const link = (to: number) => pageUrl(url, to);
  const prev = page > 1 ? link(page - 1) : null;
  const next = page < last ? link(page + 1) : null;
  const first = rows.length > 0 ? (page - 1) * pageSize + 1 : null;
  return {
    data: [...rows],
    links: { first: link(1), last: link(last), prev, next },
    meta: {
      current_page: page,
      from: first,
      last_page: last,
      links: [
        { url: prev, label: '&laquo; Previous', active: false },
        ...pageWindow(page, last).map((each) =>
          each === undefined
            ? { url: null, label: '...', active: false }
            : { url: link(each), label: String(each), active: each === page },
        ),
        { url: next, label: 'Next &raquo;', active: false },
      ],
      path: `${url.origin}${url.pathname}`,
      per_page: pageSize,
      to: first === null ? null : first + rows.length - 1,
      total,
      ...(totals && { totals: [...totals] }),
    },
  };
}

function pageUrl(url: URL, page: number): string {
  const to = new URL(url);
  to.searchParams.set('page', String(page));
  return to.href;
}

/** Returns the page numbers around the current one, with the ends; undefined stands for a gap. */
function pageWindow(page: number, last: number): (number | undefined)[] {
  if (last < SHOWN_WHOLE + EACH_SIDE * 2) return range(1, last);
  const reach = EACH_SIDE * 2;
  if (page <= reach + 1) return [...range(1, reach + 4), undefined, last - 1, last];
  if (page >= last - reach) return [1, 2, undefined, ...range(last - reach - 3, last)];
  return [1, 2, undefined, ...range(page - EACH_SIDE, page + EACH_SIDE), undefined, last - 1, last];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
