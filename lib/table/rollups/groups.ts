import * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { absent } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import { type Key, padId } from '#lib/table/keys.ts';
import { pack, unpack } from '#lib/table/packed.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import type { RollupState } from './kind.ts';
import type { RollupGeneration } from './store.ts';

/*
 * The groups of a rollup kind, as many as there are desks and warehouses. The state is one item, written by
 * each update: it contains the latest groups. The others are on pages, immutable items: a page is cut from
 * the groups in a state, so that updates that start from this state, repeated or concurrent, write the same.
 */

/** Groups on a page. Packed, a page costs one read unit; as many in the state cost some ten write units. */
const ON_PAGE = 500;

const Page = z.object({ packed: z.instanceof(Uint8Array) });

/** Reads all groups of a kind. No round trip while they are few, then one for all pages. */
export async function readGroups(
  rollups: RollupGeneration,
  { groups, pages }: RollupState,
): Promise<string[]> {
  const items = await getRawItems(Array.from({ length: pages }, (_, page) => pageKey(rollups, page)));
  const paged = items.flatMap((item) => z.array(z.string()).parse(unpack(Page.parse(item).packed)));
  return [...paged, ...groups];
}

/**
 * Adds groups to those of the state at the start of an update, and writes the full pages, before the state
 * that counts them.
 */
export async function addGroups(
  rollups: RollupGeneration,
  before: RollupState,
  added: readonly string[],
): Promise<Pick<RollupState, 'groups' | 'pages'>> {
  const full = splitEvery(before.groups, ON_PAGE).filter(({ length }) => length === ON_PAGE);
  for (const [index, groups] of full.entries()) {
    const page = { packed: pack(groups) };
    await writeOne(
      actionOf(pageKey(rollups, before.pages + index), { kind: 'put', item: page }, [absent('pk')]),
    );
  }
  const groups = [...before.groups.slice(full.length * ON_PAGE), ...added];
  return { groups, pages: before.pages + full.length };
}

/** Returns the partition of the pages of a generation. */
export function pagesPartition({ kind: { name }, tenant, generation }: RollupGeneration): string {
  return `cube-groups#${name}#${tenant}#${generation}`;
}

function pageKey(rollups: RollupGeneration, page: number): Key {
  return { pk: pagesPartition(rollups), sk: padId(page) };
}
