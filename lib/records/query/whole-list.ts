import type { Expression } from '#lib/table/expression.ts';
import { IN_ONE_PAGE } from '#lib/table/rows/request.ts';
import type { ListQuery } from './list-query.ts';

/** Asks for all records that fit, in the order of their ids: for lists that a family keeps short. */
export function wholeList(where: readonly Expression[]): ListQuery {
  return { ...IN_ONE_PAGE, where, embeds: [] };
}
