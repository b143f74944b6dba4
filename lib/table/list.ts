import type { Instant } from '#lib/values/time.ts';
import type { Item } from './client.ts';
import { partition } from './keys.ts';
import type { ListRequest, Page, Source } from './list-request.ts';
import { memoPage } from './memo.ts';
import { namedPage, scanPage } from './scan.ts';

/**
 * One page of a home's records with the exact total. In the order of ids, with settled filters or none, it costs the
 * same at any size; rows named by their ids are read alone; filters on what may change, and other orders, read every
 * header that the settled ones leave.
 */
export async function listItems(
  source: Source,
  request: ListRequest,
  at: Instant = Date.now(),
): Promise<Page<Item>> {
  const { page, pageSize } = request;
  const pk = partition(source.type, source.home);
  const found =
    (await namedPage(pk, request)) ??
    (isSettled(request) ? await memoPage(source, pk, request, at) : undefined) ??
    (await scanPage(source, pk, request));
  return { ...found, page, pageSize };
}

function isSettled({ where, sort }: ListRequest): boolean {
  return where.length === 0 && sort.field === 'id';
}
