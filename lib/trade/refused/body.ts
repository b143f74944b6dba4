import * as z from 'zod';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { type Home, type Key, padId } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { StoredRefusedSale } from './record.ts';

/** A body as it was sent, the very text: numbers of the table are not those of JSON. */
const Body = z.object({ text: z.string() });

/** Bodies that an answer shows at most, in bytes. Part 4, 4.1, 2 has the same measure. */
const MOST_BYTES = 4_000_000;

type Counted = Pick<StoredRefusedSale, 'id' | 'sizes'>;

/** A body as it was sent, and the sizes of all once it is kept. */
export interface KeptBody {
  readonly sizes: number[];
  readonly writes: readonly Write[];
}

/** Adds one more body to those of a refused sale; none if nothing was sent. */
export function keepBody(home: Home, { id, sizes }: Counted, sent: unknown): KeptBody {
  if (sent === undefined) return { sizes: [...sizes], writes: [] };
  const text = JSON.stringify(sent);
  const write = putNew(bodyKey(home, id, sizes.length + 1), { text });
  return { sizes: [...sizes, Buffer.byteLength(text)], writes: [write] };
}

/**
 * Reads the bodies of some refused sales, of each the newest last: all that fit into one answer, and
 * undefined for a sale whose bodies do not. One round trip.
 */
export function readBodies(home: Home, sales: readonly Counted[]): Promise<(unknown[] | undefined)[]> {
  let left = MOST_BYTES;
  const shown = sales.map((sale) => {
    const bytes = bytesOf(sale.sizes);
    if (bytes > left) return undefined;
    left -= bytes;
    return sale;
  });
  return Promise.all(shown.map((sale) => sale && readFrom(home, sale, 0)));
}

/**
 * Reads the newest bodies of one refused sale that fit into an answer, the newest last; one that is about to
 * be kept comes after them and has its place. One round trip.
 */
export function readNewestBodies(home: Home, { id, sizes }: Counted, coming?: unknown): Promise<unknown[]> {
  const { sizes: shown } = keepBody(home, { id, sizes }, coming);
  const first = sizes.findIndex((_, index) => bytesOf(shown.slice(index)) <= MOST_BYTES);
  return readFrom(home, { id, sizes }, first === -1 ? sizes.length : first);
}

async function readFrom(home: Home, { id, sizes }: Counted, first: number): Promise<unknown[]> {
  const items = await getItems(sizes.slice(first).map((_, each) => bodyKey(home, id, first + each + 1)));
  return items.map((item) => JSON.parse(Body.parse(item).text));
}

function bytesOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bodyKey(home: Home, id: number, number: number): Key {
  return { pk: `refused-sale#${home}#${id}`, sk: padId(number) };
}
