import type { Expression } from '#lib/table/expression.ts';
import type { Home } from '#lib/table/keys.ts';

/** Which rows of a home's records to show, and in what order. */
export interface ListRequest {
  readonly where: readonly Expression[];
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly page: number;
  readonly pageSize: number;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** The records of a type in a home. */
export interface Source {
  readonly type: string;
  readonly home: Home;
  /** The fields that lists filter by and that have an index each. */
  readonly indexes?: readonly string[];
}
