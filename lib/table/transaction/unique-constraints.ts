import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/change/write.ts';
import { uniqueNameKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';
import { normalizeText } from '#lib/values/text.ts';

const NameOwner = z.object({ id: z.int() });

/** A name unique among the records of a type within a scope, ignoring case. */
export interface UniqueConstraint {
  /** The field of the name. */
  readonly path: string;
  /** Its path in errors, if it is another one: an element of a list. */
  readonly reportedAt?: string;
  readonly scope: string;
  readonly text: string;
}

/**
 * Builds the writes that replace a record's unique names. They belong in the transaction that writes the
 * record. 422 on the constraint's path if another record, deleted or not, holds a name.
 */
export function uniqueConstraintWrites(
  type: string,
  id: number,
  before: readonly UniqueConstraint[],
  after: readonly UniqueConstraint[],
): Write[] {
  const old = new Set(before.map(addressOfName));
  const current = new Set(after.map(addressOfName));
  return [
    ...after
      .filter((constraint) => !old.has(addressOfName(constraint)))
      .map((constraint) =>
        putNew(
          uniqueConstraintKey(type, constraint),
          { id },
          invalid({ [constraint.reportedAt ?? constraint.path]: 'validation.taken' }),
        ),
      ),
    ...before
      .filter((constraint) => !current.has(addressOfName(constraint)))
      .map((constraint) => remove(uniqueConstraintKey(type, constraint))),
  ];
}

/**
 * Reads the owners of names: their ids, in the order of the names, undefined for a free one. One round trip.
 */
export async function ownersOf(
  type: string,
  claims: readonly UniqueConstraint[],
): Promise<readonly (number | undefined)[]> {
  const items = await getItems(claims.map((constraint) => uniqueConstraintKey(type, constraint)));
  return items.map(ownerIn);
}

/** Returns the owner's id from a name's item; undefined if the name is free. */
export function ownerIn(item: unknown): number | undefined {
  return NameOwner.safeParse(item).data?.id;
}

/** Returns the key of a constraint's item. */
export function uniqueConstraintKey(type: string, { path, scope, text }: UniqueConstraint) {
  return uniqueNameKey(type, scope, path, normalizeText(text));
}

function addressOfName({ path, scope, text }: UniqueConstraint): string {
  return `${scope}\n${path}\n${normalizeText(text)}`;
}
