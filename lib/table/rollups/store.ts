import { putOne } from '#lib/table/change/send.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { groupPartition, type RollupKind, type RollupLocation, type RollupState } from './kind.ts';
import { isFull, itemOfPart, partFrom, type RollupPart } from './part.ts';

/** The rollups of a kind of a tenant, of one generation. */
export interface RollupGeneration {
  readonly kind: RollupKind;
  readonly tenant: Tenant;
  readonly generation: number;
}

/**
 * Reads the parts of each rollup. One round trip for any number, one more for each further part of the
 * largest.
 */
export async function readParts(
  rollups: RollupGeneration,
  places: readonly RollupLocation[],
): Promise<RollupPart[][]> {
  const found: RollupPart[][] = places.map(() => []);
  let open = places.map((place, index) => ({ place, index }));
  for (let number = 0; open.length > 0; number++) {
    const items = await getRawItems(open.map(({ place }) => partKey(rollups, place, number)));
    open = open.filter(({ index }, each) => {
      const part = partFrom(items[each]);
      if (part.version > 0) found[index]?.push(part);
      return isFull(part, rollups.kind);
    });
  }
  return found;
}

/**
 * Writes the changed parts of a rollup under the versions that were read, one after the other: if one exists,
 * so do those before it. False if another worker was faster.
 */
export async function writeParts(
  rollups: RollupGeneration,
  place: RollupLocation,
  parts: readonly RollupPart[],
  before: RollupState,
): Promise<boolean> {
  for (const [number, part] of parts.entries()) {
    if (!part.isChanged) continue;
    const item = itemOfPart(part, before);
    if (!(await putOne(partKey(rollups, place, number), item, part.version))) return false;
  }
  return true;
}

function partKey(
  { kind, tenant, generation }: RollupGeneration,
  { group, period }: RollupLocation,
  number: number,
): Key {
  const sk = number === 0 ? period : `${period}#${String(number).padStart(4, '0')}`;
  return { pk: groupPartition(kind, tenant, generation, group), sk };
}
