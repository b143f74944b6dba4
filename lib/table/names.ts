import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/transaction/write.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import { nameKey } from './keys.ts';
import { getItems } from './reads.ts';

const Holder = z.object({ id: z.int() });

/** A name that only one record of a type may hold within a scope, letter case not counting. */
export interface Claim {
  /** The field it came in, which is also the one an error is shown at. */
  readonly path: string;
  readonly scope: string;
  readonly text: string;
}

/**
 * The writes which bring a record's unique names from what they were to what they are to be. They belong in the
 * transaction that writes the record. A name another record holds, deleted or not, is 422 on the claim's path.
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

/** The ids of the records that hold names, each in its name's place; undefined where none does. One round trip. */
export async function holdersOf(
  type: string,
  claims: readonly Claim[],
): Promise<readonly (number | undefined)[]> {
  const items = await getItems(claims.map((claim) => keyOf(type, claim)));
  return items.map(holderIn);
}

/** The id of the record that holds a name, by the name's item; undefined where none does. */
export function holderIn(item: unknown): number | undefined {
  return Holder.safeParse(item).data?.id;
}

/** Where the item of a claim stands. */
export function keyOf(type: string, { path, scope, text }: Claim) {
  return nameKey(type, scope, path, fold(text));
}

function addressOf({ path, scope, text }: Claim): string {
  return `${scope}\n${path}\n${fold(text)}`;
}
