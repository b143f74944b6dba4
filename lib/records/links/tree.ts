import * as z from 'zod';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, type Expression, equals } from '#lib/table/expression.ts';
import { type Home, recordKey, treeKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Reference } from './references.ts';

/** A record that may have a parent of its own type. */
interface Branch {
  readonly id: number;
  readonly parent_id: number | null;
  readonly is_deleted: boolean;
}

const Parented = z.object({ parent_id: z.int().nullable() });
const Tree = z.object({ moves: z.int() });

/**
 * Makes the reference to the parent. A deleted record holds none: it finds its parent again or can't be
 * restored. The id of a new record can be guessed: 422 on `parent_id` if it is its own.
 */
export function parentOf(type: string, branch: Branch | undefined, condition?: Expression): Reference[] {
  if (!branch || branch.is_deleted || branch.parent_id === null) return [];
  if (branch.parent_id === branch.id) throw notFound();
  return [{ path: 'parent_id', type, id: branch.parent_id, ...(condition && { if: condition }) }];
}

/**
 * Builds the writes that let a record change its parent. Every move of a tree waits for the one before it:
 * two at once could close a circle that neither sees. 422 on `parent_id` if the record would come under
 * itself.
 */
export async function treeMove(type: string, home: Home, before: Branch, after: Branch): Promise<Write[]> {
  if (after.parent_id === before.parent_id || after.parent_id === null) return [];
  const tree = Tree.safeParse(await getItem(treeKey(type, home))).data;
  for (let above: number | null = after.parent_id; above !== null; ) {
    if (above === before.id) throw notFound();
    above = Parented.safeParse(await getItem(recordKey(type, home, above))).data?.parent_id ?? null;
  }
  const unmoved = tree ? equals('moves', tree.moves) : absent('moves');
  return [update(treeKey(type, home), { add: { moves: 1 } }, { if: unmoved })];
}

function notFound() {
  return invalid({ parent_id: 'validation.not_found' });
}
