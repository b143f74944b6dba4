import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/change/write.ts';
import { nameKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';

const Holder = z.object({ id: z.int() });

/** A name that only one record of a type may hold within a scope; letter case does not count. */
export interface Claim {
  /** The field it came in; errors are shown at it, too. */
  readonly path: string;
  readonly scope: string;
  readonly text: string;
}

/**
 * Builds the writes that bring a record's unique names from what they were to what they will be. They belong
 * in the transaction that writes the record. 422 on the claim's path if another record, deleted or not, holds
 * a name.
 */
export function moveNames(
  type: string,
  id: number,
  before: readonly Claim[],
  after: readonly Claim[],
): Write[] {
  const held = new Set(before.map(addressOf));
  const wanted = new Set(after.map(addressOf));
  return [
    ...after
      .filter((claim) => !held.has(addressOf(claim)))
      .map((claim) => putNew(keyOf(type, claim), { id }, invalid({ [claim.path]: 'validation.taken' }))),
    ...before.filter((claim) => !wanted.has(addressOf(claim))).map((claim) => remove(keyOf(type, claim))),
  ];
}

/**
 * Reads which records hold names: their ids, each in its name's place, undefined if none does. One round
 * trip.
 */
export async function holdersOf(
  type: string,
  claims: readonly Claim[],
): Promise<readonly (number | undefined)[]> {
  const items = await getItems(claims.map((claim) => keyOf(type, claim)));
  return items.map(holderIn);
}

/** Reads the holder's id off a name's item; undefined if none holds it. */
export function holderIn(item: unknown): number | undefined {
  return Holder.safeParse(item).data?.id;
}

/** Gives the key of a claim's item. */
export function keyOf(type: string, { path, scope, text }: Claim) {
  return nameKey(type, scope, path, fold(text));
}

function addressOf({ path, scope, text }: Claim): string {
  return `${scope}\n${path}\n${fold(text)}`;
}
