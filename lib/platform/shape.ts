import * as z from 'zod';
import { wholePartition } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { markerKey, runOnceEver } from './once.ts';

/**
 * The shape of what is stored: the next number whenever code of before could not read what today's writes, or
 * would read it otherwise. A day's items of each shape are in `tests/fixtures/shapes/`.
 */
export const SHAPE = '12';

/** Shapes that this code reads. In the first of two deployments there is one more than it writes. */
export const READABLE_SHAPES: readonly string[] = ['11', SHAPE];

const PREFIX = 'shape ';

const Made = z.object({ sk: z.string() });

/** Notes that items of today's shape may be in the table, before the first is written. */
export async function noteShape(at: Instant): Promise<void> {
  await runOnceEver(`${PREFIX}${SHAPE}`, at, async (note) => transact([note]));
}

/**
 * Tells why this code can't work with the items of the table; undefined if it can, as with an empty table.
 */
export async function whyUnreadable(): Promise<string | undefined> {
  const { pk } = markerKey('');
  const made = (await wholePartition(pk)).map((item) => Made.parse(item).sk);
  const shapes = made.flatMap((sk) => (sk.startsWith(PREFIX) ? [sk.slice(PREFIX.length)] : []));
  if (made.length > 0 && shapes.length === 0) return tell('were written before shapes were noted');
  const others = shapes.filter((shape) => !READABLE_SHAPES.includes(shape));
  return others.length > 0 ? tell(`have shape ${others.join(', ')}`) : undefined;
}

function tell(what: string): string {
  const readable = READABLE_SHAPES.join(' and ');
  return `The data of this table ${what}; this code reads ${readable} (docs/operate.md, "Schema changes").`;
}
