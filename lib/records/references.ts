import * as z from 'zod';
import type { Deletable } from '#lib/records/stored.ts';
import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, all, any, atLeast, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { type Key, type RecordRef, recordKey, type Tenant, treeKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { type ApiError, invalid } from '#lib/values/api-error.ts';

/** A reference to another record of the tenant. */
export interface Reference {
  /** The field of the reference, also in errors. */
  readonly path: string;
  readonly type: string;
  readonly id: number;
  /** A condition on the target, besides its existence. */
  readonly if?: Expression;
}

/**
 * Builds the writes for changed references of a record. They belong in the transaction that writes the
 * record. A new target must exist (422 on the path) and counts its references, so checking for references
 * needs no search. A new record's id can be guessed: 422 on the path, too, for a reference to itself.
 */
export function moveReferences(
  place: RecordRef,
  before: readonly Reference[],
  after: readonly Reference[],
): Write[] {
  const old = new Map(before.map((each) => [addressOf(each), each]));
  const current = new Map(after.map((each) => [addressOf(each), each]));
  return [
    ...[...current].flatMap(([address, each]) => (old.has(address) ? [] : refer(place, each))),
    ...[...old].flatMap(([address, each]) => (current.has(address) ? [] : unrefer(place, each))),
  ];
}

/** Returns the reference of a nullable field. */
export function referenceTo(type: string, path: string, id: number | null): Reference[] {
  return id === null ? [] : [{ path, type, id }];
}

/** A record that belongs to another one until it is deleted. */
type OwnedRecord<F extends string> = Deletable & Readonly<Record<F, number>>;

/**
 * Returns the reference of a record to its owner. A deleted record has none: its owner may be deleted, and
 * then this record can't be restored.
 */
export function belongsTo<F extends string>(path: F, type: string) {
  return (record: OwnedRecord<F>): Reference[] =>
    record.is_deleted ? [] : [{ path, type, id: record[path] }];
}

/** Returns the id of a record's owner; null without one. */
export function ownerOf<F extends string>(field: F, record: OwnedRecord<F> | undefined): number | null {
  return record && !record.is_deleted ? record[field] : null;
}

/** Requires that a record is not referenced. */
export function requireNoReferences(type: string, tenant: Tenant, id: number, otherwise: ApiError): Write {
  return check(counterKey(type, tenant, id), { if: any([absent('pk'), equals('count', 0)]), otherwise });
}

/** Returns true if any of the records is referenced. One round trip. */
export async function isAnyReferenced(
  records: readonly { readonly type: string; readonly tenant: Tenant; readonly id: number }[],
): Promise<boolean> {
  const counters = await getItems(records.map(({ type, tenant, id }) => counterKey(type, tenant, id)));
  return counters.some((counter) => counter !== undefined && atLeast('count', 1).matches(counter));
}

/** Returns true if a change is a deletion. */
export function isDeletion(before: Deletable | undefined, after: Deletable): boolean {
  return before !== undefined && !before.is_deleted && after.is_deleted;
}

function refer(place: RecordRef, reference: Reference): Write[] {
  const { path, type, id, if: condition } = reference;
  const targetExists = all([equals('is_deleted', false), ...(condition ? [condition] : [])]);
  const isAnother = addressOf(reference) !== addressOf(place);
  return [
    check(recordKey(type, place.tenant, id), {
      if: isAnother ? targetExists : NEVER,
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
 * Returns the reference to the parent. A deleted record has none: it can be restored only if the parent still
 * exists.
 */
export function parentOf(type: string, branch: Branch, condition?: Expression): Reference[] {
  if (branch.is_deleted || branch.parent_id === null) return [];
  return [{ path: 'parent_id', type, id: branch.parent_id, ...(condition && { if: condition }) }];
}

/**
 * Builds the writes for a change of a record's parent. Moves within a tree are serialized: two concurrent
 * ones could close a cycle that neither sees. 422 on `parent_id` if the record would become its own
 * descendant.
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
