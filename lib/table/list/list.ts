import type { Item } from '#lib/table/client.ts';
import { partition } from '#lib/table/keys.ts';
import { readIndexedPage } from '#lib/table/list-index/read/read.ts';
import type { ListRequest, Page, Source } from '#lib/table/rows/request.ts';
import { readNamedPage, scanPage } from './scan.ts';

/**
 * Reads one page of a home's records, with the exact total. In the order of ids, with filters on indexed
 * fields or none, it costs the same at any size. Rows named by their ids are read alone. Other filters and
 * orders read every header.
 */
export async function listItems(source: Source, request: ListRequest): Promise<Page<Item>> {
  const { page, pageSize } = request;
  const pk = partition(source.type, source.home);
  const found =
    (await readNamedPage(pk, request)) ??
    (await readIndexedPage(source, request)) ??
    (await scanPage(source, pk, request));
  return { ...found, page, pageSize };
}
