import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inBackground } from '#lib/values/concurrency.ts';
import { dynamo, type Item, tableName } from './client.ts';
import { requireFresh, trackDrawnIds, waitUntil } from './deadline.ts';
import { sequencesKey, type Tenant } from './keys.ts';
import { Placeholders } from './placeholders.ts';
import { type Meter, requestContext, runInContext } from './request-context.ts';
import { reuseDrawnIds } from './retries.ts';
import { type IdDraw, newIdDraw, takeUnusedIds } from './unused-ids.ts';

/**
 * Allocates the next id of a type of a tenant, or the first of `count` consecutive ids; 0 if `count` is 0.
 * Ids start at 1 and are never reused; an unused one leaves a gap. Call it in parallel with the reads of the
 * operation: retried work gets the same ids (`retries.ts`), and a rejected call returns its ids
 * (`unused-ids.ts`). Contract 1, "Ids".
 */
export async function nextId(type: string, tenant: Tenant, count = 1): Promise<number> {
  if (count === 0 || requestContext().drawsNoIds) return 0;
  return reuseDrawnIds(counterOf(type, tenant), count, () => draw(type, tenant, count));
}

/** Runs work that writes nothing, and so needs no ids: each id in it is 0. */
export function withoutIds<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ drawsNoIds: true }, work);
}

/** Returns the last allocated id of a type, from its tenant's counters; 0 if none. */
export function lastIdIn(counters: Item | undefined, type: string): number {
  return Number(counters?.[type] ?? 0);
}

/** Requires that an id of a type of a tenant was drawn recently enough to be written. 503 otherwise. */
export function requireFreshId(type: string, tenant: Tenant, id: number): void {
  requireFresh(counterOf(type, tenant), id);
}

function counterOf(type: string, tenant: Tenant): string {
  return `${tenant} ${type}`;
}

async function draw(type: string, tenant: Tenant, count: number): Promise<number> {
  const unused = takeUnusedIds(counterOf(type, tenant), count);
  const { first } = unused ? trackDrawnIds(unused) : await waitUntil(newIds(type, tenant, count));
  return first;
}

/** A call's concurrent draws, by type, and the counters after them. */
interface Drawing {
  readonly counts: Map<string, number>;
  readonly counters: Promise<Item>;
}

const drawings = new WeakMap<Meter, Map<Tenant, Drawing>>();

/** Allocates new ids, in one request with the call's concurrent draws. */
async function newIds(type: string, tenant: Tenant, count: number): Promise<IdDraw> {
  const drawing = openDrawing(tenant);
  const before = drawing.counts.get(type) ?? 0;
  drawing.counts.set(type, before + count);
  const last = lastIdIn(await drawing.counters, type);
  const first = last - (drawing.counts.get(type) ?? 0) + before + 1;
  return trackDrawnIds(newIdDraw(counterOf(type, tenant), first, count));
}

/** Returns the open batch of a call's draws for a tenant. Outside a call each draw is separate. */
function openDrawing(tenant: Tenant): Drawing {
  const { meter } = requestContext();
  const open = (meter && drawings.get(meter)) ?? new Map<Tenant, Drawing>();
  if (meter) drawings.set(meter, open);
  const drawing = open.get(tenant) ?? newDrawing(tenant, () => open.delete(tenant));
  open.set(tenant, drawing);
  return drawing;
}

function newDrawing(tenant: Tenant, close: () => void): Drawing {
  const counts = new Map<string, number>();
  const addAll = async () => {
    await Promise.resolve();
    close();
    return addTo(tenant, counts);
  };
  return { counts, counters: inBackground(addAll()) };
}

async function addTo(tenant: Tenant, counts: ReadonlyMap<string, number>): Promise<Item> {
  const scope = new Placeholders();
  const adds = [...counts].map(([type, count]) => `${scope.name(type)} ${scope.value(count)}`);
  const { Attributes = {} } = await dynamo.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { ...sequencesKey(tenant) },
      UpdateExpression: `ADD ${adds.join(', ')}`,
      ...scope.parameters,
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Attributes;
}
