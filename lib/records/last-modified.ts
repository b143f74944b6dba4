import * as z from 'zod';
import type { Maker } from '#lib/auth/actor.ts';
import type { Item } from '#lib/table/client.ts';
import { requestContext } from '#lib/table/request-context.ts';

/**
 * What a header keeps of who changed it last. Answers never show it: no schema names it.
 *
 * As long as nobody has changed a record, its `creator_id` and `impersonator_id` tell who made it, and
 * nothing is kept twice: so a new one is no larger. What a worker has changed was changed by nobody.
 */
const Changed = z.object({
  version: z.int(),
  creator_id: z.int().nullish(),
  impersonator_id: z.int().nullish(),
  changed_by_id: z.int().nullish(),
  changed_impersonator_id: z.int().nullish(),
});

/** Who changed a record last; nulls if it was nobody. */
export interface LastModifier {
  readonly creator_id: number | null;
  readonly impersonator_id: number | null;
}

/** Tells who changed a stored record last, or made it, if nobody has changed it since. */
export function lastModifierOf(item: Item): LastModifier {
  const kept = Changed.safeParse(item).data;
  if (!kept) return { creator_id: null, impersonator_id: null };
  const { changed_by_id: changer, changed_impersonator_id: impersonator } = kept;
  if (changer) return { creator_id: changer, impersonator_id: impersonator ?? null };
  if (kept.version > 1) return { creator_id: null, impersonator_id: null };
  return { creator_id: kept.creator_id ?? null, impersonator_id: kept.impersonator_id ?? null };
}

/** Puts into a new version of a record who makes it: the caller, or nobody. */
export function stampModifier(item: Item & { readonly version: number }): Item {
  const { changed_by_id: _, changed_impersonator_id: __, ...own } = item;
  const { changer } = requestContext();
  return !changer || isTold(own, changer) ? own : { ...own, ...modifierFields(changer) };
}

/** Gives the attributes that name who changes a record. */
export function modifierFields({ creator_id, impersonator_id }: Maker): Item {
  return {
    changed_by_id: creator_id,
    ...(impersonator_id !== null && { changed_impersonator_id: impersonator_id }),
  };
}

function isTold(item: Item, { creator_id, impersonator_id }: Maker): boolean {
  const told = lastModifierOf(item);
  return told.creator_id === creator_id && told.impersonator_id === impersonator_id;
}
