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
 * The groups of a kind of cubes, of which there may be as many as desks and warehouses come to. The state is
 * one item, which each fold writes: it names the latest of them. The others are on pages, items that never
 * change: a page is cut off what the state of a fold names, so that whoever folds from that state, again or
 * at the same time, writes the same.
 */

/** Groups on a page. Packed, a page is a read unit; as many in the state are some ten written ones. */
const ON_PAGE = 500;

const Page = z.object({ packed: z.instanceof(Uint8Array) });

/** Reads all groups of cubes. No round trip while they are few, and one for all pages then. */
export async function readGroups(cubes: RollupGeneration, { groups, pages }: RollupState): Promise<string[]> {
  const items = await getRawItems(Array.from({ length: pages }, (_, page) => pageKey(cubes, page)));
  const paged = items.flatMap((item) => z.array(z.string()).parse(unpack(Page.parse(item).packed)));
  return [...paged, ...groups];
}

/**
 * Adds groups to those of the state that a fold began with, and writes the pages that this fills: before the
 * state that counts them.
 */
export async function addGroups(
  cubes: RollupGeneration,
  before: RollupState,
  added: readonly string[],
): Promise<Pick<RollupState, 'groups' | 'pages'>> {
  const full = splitEvery(before.groups, ON_PAGE).filter(({ length }) => length === ON_PAGE);
  for (const [index, groups] of full.entries()) {
    const page = { packed: pack(groups) };
    await writeOne(
      actionOf(pageKey(cubes, before.pages + index), { kind: 'put', item: page }, [absent('pk')]),
    );
  }
  const groups = [...before.groups.slice(full.length * ON_PAGE), ...added];
  return { groups, pages: before.pages + full.length };
}

/** Names the partition of the pages of a generation. */
export function pagesPartition({ kind: { name }, tenant, generation }: RollupGeneration): string {
  return `cube-groups#${name}#${tenant}#${generation}`;
}

function pageKey(cubes: RollupGeneration, page: number): Key {
  return { pk: pagesPartition(cubes), sk: padId(page) };
}
