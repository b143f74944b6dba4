import { type Home, neighbourKey, recordKey } from '#lib/table/keys.ts';
import { update, type Write } from '#lib/table/transaction/write.ts';
import type { Embed } from './embeds.ts';

/**
 * The records of a type that stand under one of another type: an item beside the other with a flag to each, so that one
 * comes or goes without a read and all are found by their keys.
 */
export interface Members {
  /** Whose they are. */
  readonly of: string;
  readonly type: string;
}

const FLAG = 'member_';

/** For a record type's `alsoWrites`: takes a record from under one to under another; null is under none. */
export function moveMember(
  members: Members,
  home: Home,
  id: number,
  { from, to }: { readonly from: number | null; readonly to: number | null },
): Write[] {
  if (from === to) return [];
  const flag = (owner: number | null, isMember: boolean) =>
    owner === null
      ? []
      : [update(recordKey(itemType(members), home, owner), { set: { [`${FLAG}${id}`]: isMember } })];
  return [...flag(from, false), ...flag(to, true)];
}

/** Embeds all the records that stand under one, in the order of their ids. */
export function membersEmbed(field: string, members: Members): Embed {
  const nested: Embed = {
    field,
    keysOf: (item) =>
      Object.entries(item)
        .filter(([name, isMember]) => name.startsWith(FLAG) && isMember === true)
        .map(([name]) => Number(name.slice(FLAG.length)))
        .sort((a, b) => a - b)
        .flatMap((id) => neighbourKey(members.type, item['pk'], id) ?? []),
    shape: (found) => found.filter((item) => item !== undefined),
  };
  return {
    field,
    keysOf: (row) => [neighbourKey(itemType(members), row['pk'], row['id']) ?? []].flat(),
    shape: ([item]) => item?.[field] ?? [],
    nested,
  };
}

function itemType({ of, type }: Members): string {
  return `${of}-${type}s`;
}
