import type { Expression } from '#lib/table/expression.ts';
import type { Currency } from '#lib/values/money.ts';

/** A selection of a tenant's records, and their order. */
export interface ListRequest {
  readonly where: readonly Expression[];
  readonly sort: {
    readonly field: string;
    readonly descending: boolean;
    /** True if the caller has named no order: that of a search is by rank. */
    readonly isDefault?: boolean;
    /** True if only so many rows may be looked at for it: `lib/table/list/looked-page.ts`. */
    readonly looks?: boolean;
  };
  readonly page: number;
  readonly pageSize: number;
  /** Set if only the ids of the rows are needed, for callers that read the rows later, in batches. */
  readonly isBare?: boolean;
  /** Set if the rows of all pages are needed, too, for their totals. */
  readonly hasAll?: boolean;
}

/** All rows of a list, the oldest first: for lists without paging. */
export const ALL_ROWS = {
  page: 1,
  pageSize: Number.MAX_SAFE_INTEGER,
  sort: { field: 'id', descending: false },
};

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  /** Of the rows of all pages, if requested. */
  readonly totals?: readonly Total[];
}

/** Sums of a list's rows in one currency, in 1/100. */
export interface Total {
  readonly currency: Currency;
  readonly count: number;
  readonly amounts: Record<string, bigint | null>;
}

/** Returns the rows of a page out of all rows. */
export function pageSlice<R>(
  rows: readonly R[],
  { page, pageSize }: Pick<ListRequest, 'page' | 'pageSize'>,
): R[] {
  return rows.slice((page - 1) * pageSize, page * pageSize);
}
