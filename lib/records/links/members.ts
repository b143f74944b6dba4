import type { Embed } from '#lib/records/query/embeds.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { recordKey, sameTenantKey, type Tenant } from '#lib/table/keys.ts';

/**
 * Records of a type that belong to an owner of another type: an item beside the owner with a flag for each.
 * So adding and removing need no read, and all are found by their keys.
 */
export interface Members {
  /** The type of the owner. */
  readonly of: string;
  readonly type: string;
}

const FLAG = 'member_';

/** Moves a record from one owner to another, for a record type's `alsoWrites`; null is no owner. */
export function moveMember(
  members: Members,
  tenant: Tenant,
  id: number,
  { from, to }: { readonly from: number | null; readonly to: number | null },
): Write[] {
  if (from === to) return [];
  const flag = (owner: number | null, isMember: boolean) =>
    owner === null
      ? []
      : [update(recordKey(itemType(members), tenant, owner), { set: { [`${FLAG}${id}`]: isMember } })];
  return [...flag(from, false), ...flag(to, true)];
}

/** Embeds all members of an owner, in the order of their ids. */
export function membersEmbed(field: string, members: Members): Embed {
  const nested: Embed = {
    field,
    keysOf: (item) =>
      Object.entries(item)
        .filter(([name, isMember]) => name.startsWith(FLAG) && isMember === true)
        .map(([name]) => Number(name.slice(FLAG.length)))
        .sort((a, b) => a - b)
        .flatMap((id) => sameTenantKey(members.type, item['pk'], id) ?? []),
    shape: (found) => found.filter((item) => item !== undefined),
  };
  return {
    field,
    keysOf: (row) => [sameTenantKey(itemType(members), row['pk'], row['id']) ?? []].flat(),
    shape: ([item]) => item?.[field] ?? [],
    nested,
  };
}

function itemType({ of, type }: Members): string {
  return `${of}-${type}s`;
}
