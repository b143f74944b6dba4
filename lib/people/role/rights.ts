import * as z from 'zod';
import { type Actor, type Area, areaOfActor, hasRight } from '#lib/auth/actor.ts';
import uses from '#lib/auth/right-uses.json' with { type: 'json' };
import { RIGHTS } from '#lib/auth/rights.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { translateRight } from '#lib/values/labels/right.ts';
import { Localized } from '#lib/values/localized.ts';
import { RoleSet, roleSets } from './sets.ts';

const IMPLIED: Readonly<Record<string, readonly string[]>> = uses.implied;
const PARTS: readonly string[] = uses.parts;

/** A right that a role may give. Part 5, 5B.2, 1. */
const Right = z.object({
  key: z.string(),
  group: z.string(),
  group_label: Localized,
  label: Localized,
  is_operation: z.boolean(),
  implies: z.array(z.string()),
});

export const RightList = z.object({ data: z.array(Right), sets: z.array(RoleSet) });

/** Lists every right that a role may give in these areas, and ready sets for a company's roles. */
export function listRights(areas: readonly Area[]): z.input<typeof RightList> {
  const keys = RIGHTS.filter((right) => areas.some((area) => right.startsWith(`${area}.`)));
  const data = keys.map((key) => ({
    key,
    group: groupOf(key),
    group_label: groupLabel(groupOf(key)),
    label: translateRight('right', key.slice(groupOf(key).length + 1)),
    is_operation: !PARTS.includes(key),
    implies: [...(IMPLIED[key] ?? [])],
  }));
  return { data, sets: roleSets() };
}

/** Lists all rights that a caller may use, expanded, in alphabetical order. Part 5, 5B.2, 3. */
export function rightsOf(actor: Actor): string[] {
  const area = `${areaOfActor(actor)}.`;
  return RIGHTS.filter((right) => right.startsWith(area) && hasRight(actor, right)).toSorted();
}

/** Translates a group: that of a synced type has its name. */
function groupLabel(group: string): Localized {
  const { data: noun } = SyncType.safeParse(group.replace(/^company\./, ''));
  return noun ? translateRight('noun', noun) : translateRight('group', group);
}

function groupOf(right: string): string {
  return right.slice(0, right.lastIndexOf('.'));
}
