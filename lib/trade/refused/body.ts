import { createHash } from 'node:crypto';
import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';
import type { StoredBody, StoredRefusedSale } from './record.ts';

/** A body as it was sent, the very text: numbers of the table are not those of JSON. */
const Body = z.object({ text: z.string() });

/** Bodies that are kept of a sale: the first, and the newest others. Part 4, 4.4, 5. */
const MAX_BODIES = 20;

/** Bodies that an answer shows at most, in bytes. Part 4, 4.1, 2 has the same measure. */
const MAX_BYTES = 4_000_000;

/** The number of a sale's first body: it stays, however many come. */
export const FIRST = 1;

type Counted = Pick<StoredRefusedSale, 'id' | 'bodies'>;

/** What is kept of a refused sale once one more body has come. */
interface Keeping {
  readonly bodies: StoredBody[];
  readonly writes: readonly Write[];
}

/**
 * Adds a body to those of a refused sale, in the place of the second one if they are too many. Nothing is
 * added if nothing was sent, or what equals the newest.
 */
export function storeBody(tenant: Tenant, { id, bodies }: Counted, sent: unknown, at: Instant): Keeping {
  const newest = bodies.at(-1);
  if (sent === undefined || newest?.digest === digestOf(sent)) return { bodies, writes: [] };
  const text = JSON.stringify(sent);
  const number = (newest?.number ?? 0) + 1;
  const write = putNew(bodyKey(tenant, id, number), { text });
  const body = { number, bytes: Buffer.byteLength(text), digest: digestOf(sent), came_at: at };
  const [first, second, ...others] = bodies;
  if (first === undefined || second === undefined || bodies.length < MAX_BODIES) {
    return { bodies: [...bodies, body], writes: [write] };
  }
  return { bodies: [first, ...others, body], writes: [write, remove(bodyKey(tenant, id, second.number))] };
}

/** Finds the body among those that are kept of a sale, whatever the order of its fields. */
export function findBody({ bodies }: Pick<Counted, 'bodies'>, sent: unknown): StoredBody | undefined {
  const digest = digestOf(sent);
  return bodies.find((body) => body.digest === digest);
}

/** Makes what two bodies have in common if their contents are equal. Contract 9.145. */
function digestOf(sent: unknown): string {
  const text = JSON.stringify(sent, (_, value: unknown) => inOrder(value)) ?? '';
  return createHash('sha256').update(text).digest('base64url');
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Reads the bodies of some refused sales, of each the newest last: all that fit into one answer, and
 * undefined for a sale whose bodies do not. One round trip.
 */
export function readBodies(tenant: Tenant, sales: readonly Counted[]): Promise<(unknown[] | undefined)[]> {
  let left = MAX_BYTES;
  const shown = sales.map((sale) => {
    const bytes = bytesOf(sale.bodies);
    if (bytes > left) return undefined;
    left -= bytes;
    return sale;
  });
  return Promise.all(shown.map((sale) => sale && readThese(tenant, sale.id, sale.bodies)));
}

/** Reads the newest bodies of one refused sale that fit into an answer, the newest last. One round trip. */
export async function readNewestBodies(tenant: Tenant, sale: Counted): Promise<unknown[]> {
  return [...(await readByNumber(tenant, sale)).values()];
}

/** Reads the same by the numbers of the bodies. */
export async function readByNumber(tenant: Tenant, { id, bodies }: Counted): Promise<Map<number, unknown>> {
  const newest = newestFitting(bodies);
  const found = await readThese(tenant, id, newest);
  return new Map(newest.map(({ number }, index) => [number, found[index]]));
}

/** Chooses the newest of some bodies that fit into an answer. */
export function newestFitting(bodies: readonly StoredBody[]): StoredBody[] {
  const first = bodies.findIndex((_, index) => bytesOf(bodies.slice(index)) <= MAX_BYTES);
  return first === -1 ? [] : bodies.slice(first);
}

/** Gives the key of a body, for `bodyIn`. */
export function bodyKey(tenant: Tenant, id: number, number: number): Key {
  return { pk: `refused-sale#${tenant}#${id}`, sk: padId(number) };
}

/** Gives a body as it was sent, by the item at its key. */
export function bodyIn(item: unknown): unknown {
  return JSON.parse(Body.parse(item).text);
}

async function readThese(tenant: Tenant, id: number, bodies: readonly StoredBody[]): Promise<unknown[]> {
  const items = await getItems(bodies.map(({ number }) => bodyKey(tenant, id, number)));
  return items.map(bodyIn);
}

function bytesOf(bodies: readonly StoredBody[]): number {
  return bodies.reduce((sum, { bytes }) => sum + bytes, 0);
}
