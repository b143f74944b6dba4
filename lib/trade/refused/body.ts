import { createHash } from 'node:crypto';
import * as z from 'zod';
import { putNew, remove, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';
import type { StoredBody, StoredRefusedSale } from './record.ts';

/** Body as sent, stored as text: numbers of the table differ from those of JSON. */
const Body = z.object({ text: z.string() });

/** Stored bodies of a sale: the first, and the newest others. Part 4, 4.4, 5. */
const MAX_BODIES = 20;

/** Limit of bodies in a response, in bytes, the same as in Part 4, 4.1, 2. */
const MAX_BYTES = 4_000_000;

/** Number of a sale's first body, which is never replaced. */
export const FIRST = 1;

type WithBodies = Pick<StoredRefusedSale, 'id' | 'bodies'>;

/** Stored bodies of a refused sale after an addition, with the writes. */
interface BodyUpdate {
  readonly bodies: StoredBody[];
  readonly writes: readonly Write[];
}

/**
 * Adds a body to those of a refused sale, replacing the second one over the limit. No change without a body,
 * or if it equals the newest.
 */
export function storeBody(
  tenant: Tenant,
  { id, bodies }: WithBodies,
  sent: unknown,
  at: Instant,
): BodyUpdate {
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

/** Finds an equal body among those stored of a sale, regardless of the order of its fields. */
export function findBody({ bodies }: Pick<WithBodies, 'bodies'>, sent: unknown): StoredBody | undefined {
  const digest = digestOf(sent);
  return bodies.find((body) => body.digest === digest);
}

/** Computes the digest of a body's contents, equal for equal contents. Contract 9.145. */
function digestOf(sent: unknown): string {
  const text = JSON.stringify(sent, (_, value: unknown) => withSortedKeys(value)) ?? '';
  return createHash('sha256').update(text).digest('base64url');
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Reads the bodies of refused sales, newest last, as far as they fit a response; undefined for a sale whose
 * bodies do not. One round trip.
 */
export function readBodies(tenant: Tenant, sales: readonly WithBodies[]): Promise<(unknown[] | undefined)[]> {
  let left = MAX_BYTES;
  const shown = sales.map((sale) => {
    const bytes = bytesOf(sale.bodies);
    if (bytes > left) return undefined;
    left -= bytes;
    return sale;
  });
  return Promise.all(shown.map((sale) => sale && readByHeader(tenant, sale.id, sale.bodies)));
}

/** Reads the newest bodies of a refused sale that fit a response, newest last. One round trip. */
export async function readNewestBodies(tenant: Tenant, sale: WithBodies): Promise<unknown[]> {
  return [...(await readByNumber(tenant, sale)).values()];
}

/** Reads the same by the numbers of the bodies. */
export async function readByNumber(
  tenant: Tenant,
  { id, bodies }: WithBodies,
): Promise<Map<number, unknown>> {
  const newest = newestFitting(bodies);
  const found = await readByHeader(tenant, id, newest);
  return new Map(newest.map(({ number }, index) => [number, found[index]]));
}

/** Selects the newest bodies that fit a response. */
export function newestFitting(bodies: readonly StoredBody[]): StoredBody[] {
  const first = bodies.findIndex((_, index) => bytesOf(bodies.slice(index)) <= MAX_BYTES);
  return first === -1 ? [] : bodies.slice(first);
}

/** Returns the key of a body, for `bodyIn`. */
export function bodyKey(tenant: Tenant, id: number, number: number): Key {
  return { pk: `refused-sale#${tenant}#${id}`, sk: padId(number) };
}

/** Parses a body, as sent, from the item at its key. */
export function bodyIn(item: unknown): unknown {
  return JSON.parse(Body.parse(item).text);
}

async function readByHeader(tenant: Tenant, id: number, bodies: readonly StoredBody[]): Promise<unknown[]> {
  const items = await getItems(bodies.map(({ number }) => bodyKey(tenant, id, number)));
  return items.map(bodyIn);
}

function bytesOf(bodies: readonly StoredBody[]): number {
  return bodies.reduce((sum, { bytes }) => sum + bytes, 0);
}
