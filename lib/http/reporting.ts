import * as z from 'zod';
import type { Call, Right } from './definition/definition.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { PageLinks, PageMeta, pageResponse } from './listing.ts';
import { type FileOrLink, orFile } from './wire/response.ts';

type ReportCall<R extends Right, Q extends z.ZodType> = Pick<
  Call<R, z.ZodUndefined, Q, z.ZodUndefined>,
  'actor' | 'query' | 'at' | 'locale'
>;

/** Rows, sums over all of them, and their period. */
interface Reported<Row> {
  readonly data: Row[];
  readonly totals: Row[];
  readonly period: z.input<typeof Period>;
  /** Number of rows on all pages, if these are one page. */
  readonly total?: number;
}

const Period = z.object({ from: z.string(), to: z.string() }).nullable();

/** Returns the schema of a report. Part 4, 4.5. */
function reportOf<A extends z.ZodType>(row: A) {
  return z.object({ data: z.array(row), totals: z.array(row), period: Period });
}

function reportPageOf<A extends z.ZodType>(row: A) {
  return reportOf(row).extend({ links: PageLinks, meta: PageMeta });
}

const ForWorkbook = z.object({ format: z.literal('excel') });
const Paged = z.object({ page: z.int(), 'page-size': z.int() });

/**
 * Returns the function of a report operation: `run` returns all rows, or the requested page of them; the
 * caller gets them with their totals, or with `format=excel` the workbook of all.
 */
export function reporting<R extends Right, Q extends z.ZodType, A extends z.ZodType>(definition: {
  readonly right: R;
  /** A right needed in addition. */
  readonly andRight?: R;
  readonly query: Q;
  /** The schema of one row. */
  readonly rows: A;
  readonly sheet: {
    give(
      report: Reported<z.input<A>>,
      call: Pick<ReportCall<R, Q>, 'at' | 'locale'>,
    ): Promise<z.input<typeof FileOrLink>>;
  };
  /** Set if the query has `page` and `page-size`. */
  readonly isPaged?: true;
  readonly note?: string;
  run(call: ReportCall<R, Q>): Promise<Reported<z.input<A>>>;
}): Endpoint {
  const { right, andRight, query, rows, sheet, isPaged, note } = definition;
  return endpoint({
    right,
    ...(andRight && { andRight }),
    query,
    ...(isPaged ? { isPaged } : { isReport: true }),
    response: isPaged ? orFile(reportPageOf(rows)) : orFile(reportOf(rows)),
    uses: ['exports:write', 'exports:read'],
    note: [note ?? [], NOTE].flat().join(' '),
    run: async (call) => {
      const { total, ...report } = await definition.run(call);
      if (ForWorkbook.safeParse(call.query).success) return sheet.give(report, call);
      const { data: paging } = Paged.safeParse(call.query);
      if (!paging || total === undefined) return report;
      const page = { rows: report.data, total, page: paging.page, pageSize: paging['page-size'] };
      return { ...report, ...pageResponse(call.url, page) };
    },
  });
}

const NOTE =
  '`format=excel` returns all rows as a workbook, with the totals last. Over 4 MB the response is a 302 to ' +
  'a link valid for five minutes.';
