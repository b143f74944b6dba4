import type { Expression } from '#lib/table/expression.ts';

/** A choice of rows of a home's records, and their order. */
export interface ListRequest {
  readonly where: readonly Expression[];
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly page: number;
  readonly pageSize: number;
  /** Set if the ids of the rows are enough, for who reads the rows later, some at a time. */
  readonly isBare?: boolean;
}

/** All rows of a list, the first come first: for lists that no caller pages through. */
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
}

/** Cuts the rows that a page shows out of all. */
export function pageSlice<R>(
  rows: readonly R[],
  { page, pageSize }: Pick<ListRequest, 'page' | 'pageSize'>,
): R[] {
  return rows.slice((page - 1) * pageSize, page * pageSize);
}
