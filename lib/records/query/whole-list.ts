import type { Expression } from '#lib/table/expression.ts';
import type { ListQuery } from './list-query.ts';

/** Asks for all records that fit, in the order of their ids: for lists that a family keeps short. */
export function wholeList(where: readonly Expression[]): ListQuery {
  const sort = { field: 'id', descending: false };
  return { where, sort, page: 1, pageSize: Number.MAX_SAFE_INTEGER, embeds: [] };
}
