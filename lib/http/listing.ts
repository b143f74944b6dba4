import * as z from 'zod';
import type { Page } from '#lib/table/list/request.ts';
import type { Right } from './authorize.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { paged } from './paging.ts';

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

/**
 * Makes an operation that lists: `run` gives one page of rows, the caller gets `data`, `links` and `meta`.
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
  readonly note?: string;
  run(
    call: Pick<Call<R, z.ZodUndefined, Q, P>, 'actor' | 'id' | 'params' | 'query' | 'at' | 'locale'>,
  ): Promise<Page<z.input<A>>>;
}): Endpoint {
  const { right, params, query, rows, note } = definition;
  return endpoint({
    right,
    ...(params && { params }),
    query,
    answers: pageOf(rows),
    ...(note !== undefined && { note }),
    run: async (call) => paged(call.url, await definition.run(call)),
  });
}
