import * as z from 'zod';
import type { Deletable } from '#lib/records/stored.ts';
import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, all, any, atLeast, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { type Key, type RecordRef, recordKey, type Tenant, treeKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { type ApiError, invalid } from '#lib/values/api-error.ts';

/** Another record of the home that a record points at. */
export interface Reference {
  /** The field of the reference; errors are shown at it, too. */
  readonly path: string;
  readonly type: string;
  readonly id: number;
  /** A condition on the other, beside its existence. */
  readonly if?: Expression;
}

/**
 * Builds the writes for a change of what the record at a place points at. They belong in the transaction that
 * writes the record. A record that it newly points at must exist (422 on the path) and is counted. So it is
 * known without a search whether anything points at it. The id of a new record can be guessed: 422 on the
 * path, too, if it is its own.
 */
export function moveReferences(
  place: RecordRef,
  before: readonly Reference[],
  after: readonly Reference[],
): Write[] {
  const held = new Map(before.map((each) => [addressOf(each), each]));
  const wanted = new Map(after.map((each) => [addressOf(each), each]));
  return [
    ...[...wanted].flatMap(([address, each]) => (held.has(address) ? [] : refer(place, each))),
    ...[...held].flatMap(([address, each]) => (wanted.has(address) ? [] : unrefer(place, each))),
  ];
}

/** Makes the reference of a field that may be null. */
export function referenceTo(type: string, path: string, id: number | null): Reference[] {
  return id === null ? [] : [{ path, type, id }];
}

/** A record that belongs to another as long as it is not deleted. */
type Placed<F extends string> = Deletable & Readonly<Record<F, number>>;

/**
 * Says what a record points at that belongs to one other. A deleted one holds no reference: the other may go,
 * and without it this one can't be restored.
 */
export function belongsTo<F extends string>(path: F, type: string) {
  return (record: Placed<F>): Reference[] => (record.is_deleted ? [] : [{ path, type, id: record[path] }]);
}

/** Names the id of a record's owner; null if it has none. */
export function ownerOf<F extends string>(field: F, record: Placed<F> | undefined): number | null {
  return record && !record.is_deleted ? record[field] : null;
}

/** Requires that nothing points at a record. */
export function requireNoReferences(type: string, tenant: Tenant, id: number, otherwise: ApiError): Write {
  return check(counterKey(type, tenant, id), { if: any([absent('pk'), equals('count', 0)]), otherwise });
}

/** Tells whether anything points at any of the records. One round trip. */
export async function isAnyReferenced(
  records: readonly { readonly type: string; readonly tenant: Tenant; readonly id: number }[],
): Promise<boolean> {
  const counters = await getItems(records.map(({ type, tenant, id }) => counterKey(type, tenant, id)));
  return counters.some((counter) => counter !== undefined && atLeast('count', 1).matches(counter));
}

/** Tells whether a change is a deletion. */
export function isDeletion(before: Deletable | undefined, after: Deletable): boolean {
  return before !== undefined && !before.is_deleted && after.is_deleted;
}

function refer(place: RecordRef, reference: Reference): Write[] {
  const { path, type, id, if: condition } = reference;
  const isThere = all([equals('is_deleted', false), ...(condition ? [condition] : [])]);
  const isAnother = addressOf(reference) !== addressOf(place);
  return [
    check(recordKey(type, place.tenant, id), {
      if: isAnother ? isThere : NEVER,
      otherwise: invalid({ [path]: 'validation.not_found' }),
    }),
    update(counterKey(type, place.tenant, id), { add: { count: 1 } }),
  ];
}

const NEVER = oneOf('id', []);

function unrefer({ tenant }: RecordRef, { type, id }: Reference): Write[] {
  return [update(counterKey(type, tenant, id), { add: { count: -1 } }, { if: atLeast('count', 1) })];
}

function counterKey(type: string, tenant: Tenant, id: number): Key {
  return recordKey(`references#${type}`, tenant, id);
}

function addressOf({ type, id }: Pick<RecordRef, 'type' | 'id'>): string {
  return `${type}#${id}`;
}

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
 * restored.
 */
export function parentOf(type: string, branch: Branch, condition?: Expression): Reference[] {
  if (branch.is_deleted || branch.parent_id === null) return [];
  return [{ path: 'parent_id', type, id: branch.parent_id, ...(condition && { if: condition }) }];
}

/**
 * Builds the writes that let a record change its parent. Every move of a tree waits for the one before it:
 * two at once could close a circle that neither sees. 422 on `parent_id` if the record would come under
 * itself.
 */
export async function treeMove(
  type: string,
  tenant: Tenant,
  before: Branch,
  after: Branch,
): Promise<Write[]> {
  if (after.parent_id === before.parent_id || after.parent_id === null) return [];
  const tree = Tree.safeParse(await getItem(treeKey(type, tenant))).data;
  for (let above: number | null = after.parent_id; above !== null; ) {
    if (above === before.id) throw invalid({ parent_id: 'validation.not_found' });
    above = Parented.safeParse(await getItem(recordKey(type, tenant, above))).data?.parent_id ?? null;
  }
  const unmoved = tree ? equals('moves', tree.moves) : absent('moves');
  return [update(treeKey(type, tenant), { add: { moves: 1 } }, { if: unmoved })];
}
