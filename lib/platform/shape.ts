import * as z from 'zod';
import { wholePartition } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { markerKey, runOnceEver } from './once.ts';

/**
 * Schema version of the stored items: raised when older code could not read new items, or would misread them.
 * Sample items of each version are in `tests/fixtures/shapes/`.
 */
export const SHAPE = '12';

/** Versions that this code reads. The first of two deployments reads one more than it writes. */
export const READABLE_SHAPES: readonly string[] = ['11', SHAPE];

const PREFIX = 'shape ';

const Made = z.object({ sk: z.string() });

/** Records the schema version before the first item of it is written. */
export async function noteShape(at: Instant): Promise<void> {
  await runOnceEver(`${PREFIX}${SHAPE}`, at, async (note) => transact([note]));
}

/**
 * Returns the reason why this code can't read the table's items; undefined if it can, as with an empty table.
 */
export async function whyUnreadable(): Promise<string | undefined> {
  const { pk } = markerKey('');
  const made = (await wholePartition(pk)).map((item) => Made.parse(item).sk);
  const shapes = made.flatMap((sk) => (sk.startsWith(PREFIX) ? [sk.slice(PREFIX.length)] : []));
  if (made.length > 0 && shapes.length === 0)
    return unreadableReason('were written before shapes were noted');
  const others = shapes.filter((shape) => !READABLE_SHAPES.includes(shape));
  return others.length > 0 ? unreadableReason(`have shape ${others.join(', ')}`) : undefined;
}

function unreadableReason(what: string): string {
  const readable = READABLE_SHAPES.join(' and ');
  return `The data of this table ${what}; this code reads ${readable} (docs/operate.md, "Schema changes").`;
}
