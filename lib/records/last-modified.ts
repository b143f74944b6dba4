import * as z from 'zod';
import type { Maker } from '#lib/auth/actor.ts';
import type { Item } from '#lib/table/client.ts';
import { requestContext } from '#lib/table/request-context.ts';

/**
 * The last modifier in a header. Never in responses: no schema contains it.
 *
 * Until the first change of a record, its `creator_id` and `impersonator_id` are its last modifier, so that a
 * new record is no larger. A change by a worker has no modifier.
 */
const Changed = z.object({
  version: z.int(),
  creator_id: z.int().nullish(),
  impersonator_id: z.int().nullish(),
  changed_by_id: z.int().nullish(),
  changed_impersonator_id: z.int().nullish(),
});

/** The last modifier of a record; nulls without one. */
export interface LastModifier {
  readonly creator_id: number | null;
  readonly impersonator_id: number | null;
}

/** Returns the last modifier of a stored record: its creator, if it has not been changed since. */
export function lastModifierOf(item: Item): LastModifier {
  const stored = Changed.safeParse(item).data;
  if (!stored) return { creator_id: null, impersonator_id: null };
  const { changed_by_id: changer, changed_impersonator_id: impersonator } = stored;
  if (changer) return { creator_id: changer, impersonator_id: impersonator ?? null };
  if (stored.version > 1) return { creator_id: null, impersonator_id: null };
  return { creator_id: stored.creator_id ?? null, impersonator_id: stored.impersonator_id ?? null };
}

/** Stamps a new version of a record with its modifier: the caller, or none. */
export function stampModifier(item: Item & { readonly version: number }): Item {
  const { changed_by_id: _, changed_impersonator_id: __, ...own } = item;
  const { changer } = requestContext();
  return !changer || isLastModifier(own, changer) ? own : { ...own, ...modifierFields(changer) };
}

/** Returns the attributes of a record's modifier. */
export function modifierFields({ creator_id, impersonator_id }: Maker): Item {
  return {
    changed_by_id: creator_id,
    ...(impersonator_id !== null && { changed_impersonator_id: impersonator_id }),
  };
}

function isLastModifier(item: Item, { creator_id, impersonator_id }: Maker): boolean {
  const current = lastModifierOf(item);
  return current.creator_id === creator_id && current.impersonator_id === impersonator_id;
}
