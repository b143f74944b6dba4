import { isDeepStrictEqual } from 'node:util';
import { users } from '#lib/people/user/user.ts';
import { invalidateFeed } from '#lib/table/feed/epoch.ts';
import { LOCK } from '#lib/table/items.ts';
import { addressOf, familyTenant, type Key, partition, type Tenant, userTenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Instant } from '#lib/values/time.ts';
import { outfitBranches } from './branches.ts';
import { REBUILT_KINDS, STANDING_KINDS } from './kinds.ts';
import { keyOfRaw, putRaw, type RawItem, readRaw, removeRaw, scanRaw } from './raw.ts';
import { rebuildIndexes, rebuildRollups } from './rebuild.ts';
import { replanRepricings } from './replan.ts';
import { settleItems } from './settled.ts';

/** Restore of a family in the table in use to its state in another table. */
interface Restoring {
  readonly family: number;
  readonly from: string;
  readonly to: string;
  /** Called with the items to be restored, before they are written. */
  readonly note: (items: readonly RawItem[]) => Promise<void>;
}

/**
 * Restores a closed family to its state in another table: differing items are written, newer ones deleted.
 * Users, companies, webhooks and charges are left unchanged (`STANDING_KINDS`). Then planned repricings are
 * due again, lists and reports are rebuilt, and sync clients start over. An interrupted restore is run again:
 * equal items are left alone. Returns the number of written and removed items.
 */
export async function restoreFamily(restoring: Restoring, at: Instant) {
  const { family } = restoring;
  const tenant = familyTenant(family);
  const isOwn = ownItems(tenant, await userHomesOf(tenant));
  const written = await putBack(restoring, isOwn, at);
  const { removed, indexed } = await deleteNewer(restoring, isOwn, tenant);
  await outfitBranches(family, at);
  await replanRepricings(family);
  for (const type of indexed) await rebuildIndexes(type, tenant);
  await rebuildRollups(tenant);
  await invalidateFeed(tenant);
  return { written, removed };
}

/** Returns a predicate for the keys of a family's items that are restored. */
function ownItems(tenant: Tenant, people: ReadonlySet<string>) {
  return ({ pk }: Key): boolean => {
    const [kind = '', ...parts] = pk.split('#');
    // A response saved for a retry refers to records that are gone.
    if (kind === 'idempotency') return parts.some((part) => people.has(part));
    const isStanding = [kind, parts[0] ?? ''].some((word) => STANDING_KINDS.includes(word));
    return parts.includes(tenant) && !isStanding && !REBUILT_KINDS.includes(kind);
  };
}

async function userHomesOf(tenant: Tenant): Promise<ReadonlySet<string>> {
  const people = await wholePartition(partition(users.type, tenant));
  return new Set(people.map(({ id }) => userTenant(Number(id))));
}

type IsOwn = (key: Key) => boolean;

/** Writes items that differ or are missing in the table in use. */
async function putBack({ from, to, note }: Restoring, isOwn: IsOwn, at: Instant): Promise<number> {
  let written = 0;
  for await (const page of scanRaw(from)) {
    const own = await settleItems(
      from,
      page.filter((item) => isOwn(keyOfRaw(item)) && !hasExpired(item, at)),
    );
    const held = await readRaw(to, own.map(keyOfRaw));
    await settleItems(to, [...held.values()]);
    const changed = own
      .map((item) => itemToPut(item, held.get(addressOf(keyOfRaw(item)))))
      .filter((item) => item !== undefined);
    await note(changed);
    await putRaw(to, changed);
    written += changed.length;
  }
  return written;
}

function hasExpired({ expires_at }: RawItem, at: Instant): boolean {
  return expires_at?.N !== undefined && Number(expires_at.N) * 1000 < at;
}

/**
 * Returns the item to put in place of another; undefined if they are equal. Versions never decrease: a client
 * that has seen the later one must not take this item for it.
 */
function itemToPut(was: RawItem, is: RawItem | undefined): RawItem | undefined {
  if (!is) return was;
  const [{ version: before, ...old }, { version: now, ...held }] = [was, is];
  if (isDeepStrictEqual(old, held)) return undefined;
  if (before?.N === undefined || now?.N === undefined || was[LOCK]) return was;
  return { ...old, version: { N: String(Math.max(Number(before.N), Number(now.N)) + 1) } };
}

/**
 * Deletes items missing from the other table, and pending changes of list indexes. Returns the number of
 * deleted items, and the types that have such indexes.
 */
async function deleteNewer({ from, to }: Restoring, isOwn: IsOwn, tenant: Tenant) {
  let removed = 0;
  const indexed: string[] = [];
  for await (const page of scanRaw(to)) {
    const keys = page.map(keyOfRaw);
    const own = keys.filter(isOwn);
    const there = await readRaw(from, own);
    const changes = keys.filter((key) => isOfLists(key, tenant));
    indexed.push(...changes.filter(isState).map(typeIn));
    const gone = [
      ...own.filter((key) => !there.has(addressOf(key))),
      ...changes.filter((key) => !isState(key)),
    ];
    await removeRaw(to, gone);
    removed += gone.length;
  }
  return { removed, indexed };
}

/** Returns whether an item is the state or a pending change of a list's indexes. */
function isOfLists({ pk }: Key, tenant: Tenant): boolean {
  const [kind, type = '', of] = pk.split('#');
  return kind === 'changes' && of === tenant && !STANDING_KINDS.includes(type);
}

function isState({ sk }: Key): boolean {
  return sk.startsWith('!');
}

function typeIn({ pk }: Key): string {
  return pk.split('#')[1] ?? '';
}
