import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/change/write.ts';
import { uniqueNameKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';
import { normalizeText } from '#lib/values/text.ts';

const NameOwner = z.object({ id: z.int() });

/** A name that only one record of a type may have within a scope; letter case does not count. */
export interface UniqueConstraint {
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
export function uniqueConstraintWrites(
  type: string,
  id: number,
  before: readonly UniqueConstraint[],
  after: readonly UniqueConstraint[],
): Write[] {
  const old = new Set(before.map(claimAddress));
  const wanted = new Set(after.map(claimAddress));
  return [
    ...after
      .filter((claim) => !old.has(claimAddress(claim)))
      .map((claim) =>
        putNew(uniqueConstraintKey(type, claim), { id }, invalid({ [claim.path]: 'validation.taken' })),
      ),
    ...before
      .filter((claim) => !wanted.has(claimAddress(claim)))
      .map((claim) => remove(uniqueConstraintKey(type, claim))),
  ];
}

/**
 * Reads the owners of names: their ids, each in its name's place, undefined if nobody has it. One round
 * trip.
 */
export async function ownersOf(
  type: string,
  claims: readonly UniqueConstraint[],
): Promise<readonly (number | undefined)[]> {
  const items = await getItems(claims.map((claim) => uniqueConstraintKey(type, claim)));
  return items.map(ownerIn);
}

/** Reads the owner's id off a name's item; undefined if nobody has it. */
export function ownerIn(item: unknown): number | undefined {
  return NameOwner.safeParse(item).data?.id;
}

/** Gives the key of a claim's item. */
export function uniqueConstraintKey(type: string, { path, scope, text }: UniqueConstraint) {
  return uniqueNameKey(type, scope, path, normalizeText(text));
}

function claimAddress({ path, scope, text }: UniqueConstraint): string {
  return `${scope}\n${path}\n${normalizeText(text)}`;
}
