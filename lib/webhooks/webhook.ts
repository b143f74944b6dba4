import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { exact, exactOrList, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { type ListQuery, plainQuery } from '#lib/records/query/list-query.ts';
import { Reader, type RecordType } from '#lib/records/record.ts';
import { recordFields, type Stored } from '#lib/records/stored.ts';
import { update } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import { Id, optionalText, visible } from '#lib/values/fields.ts';
import { Timestamp } from '#lib/values/time.ts';
import { isHeldBy } from './authority.ts';
import { DispatchState, dispatchStateKey } from './dispatch-state.ts';
import { EventType } from './event.ts';
import { MAX_CHARACTERS, withoutQuery } from './receiver/destination.ts';

/** The reasons for which the service disables a webhook. Part 4, 4.2. */
const DisabledReason = z.enum(['receiver', 'failures', 'backlog', 'creator']);

export type DisabledReason = z.output<typeof DisabledReason>;

/** A webhook as callers see it. Part 4, 4.2. */
export const Webhook = z.object({
  id: z.int(),
  url: z.string(),
  description: z.string().nullable(),
  types: z.array(z.string()),
  is_active: z.boolean(),
  disabled_at: Timestamp.nullable(),
  disabled_reason: DisabledReason.nullable(),
  failing_since: Timestamp.nullable(),
  last_delivered_at: Timestamp.nullable(),
  creator_id: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** A webhook with a new secret: the only time that it is shown. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() });

/** A webhook that was changed, with a new secret if its url is another. */
export const ChangedWebhook = Webhook.extend({ secret: z.string().optional() });

/** Input to add or to change a webhook. */
export const WebhookInput = z.object({
  url: visible(z.string().max(MAX_CHARACTERS)),
  description: optionalText(1000),
  types: z
    .array(EventType)
    .min(1)
    .max(120)
    .refine((types) => new Set(types).size === types.length, { error: 'validation.duplicate' }),
  /** Left out, it is as it was: a new one is active. */
  is_active: z.boolean().optional(),
});

export type WebhookInput = z.output<typeof WebhookInput>;

/** A webhook as the table holds it. */
export const StoredWebhook = Webhook.omit({ last_delivered_at: true }).extend({
  ...recordFields,
  /** The company of who added it: who reaches that sees it. */
  company_id: z.int(),
  /** Raised whenever what is pending is dropped: that belongs to the one before. */
  generation: z.int(),
  /** Its secret, sealed, and the one before it, which signs too until then. No answer has such fields. */
  sealed: z.string(),
  sealed_before: z.string().nullable(),
  sealed_before_until: z.number().nullable(),
});

export type StoredWebhook = Stored<typeof StoredWebhook>;

const MOST = 20;

/** Webhooks of a family. One that is removed stays as an empty record, and makes room. */
export const webhooks: RecordType<typeof StoredWebhook> = {
  type: 'webhook',
  schema: StoredWebhook,
  filters: { id: exactOrList('id', Id), is_active: exact('is_active', z.boolean()) },
  alsoWrites: (tenant, before, after) => {
    const key = { pk: `webhook-count#${tenant}`, sk: 'count' };
    const room = {
      if: any([absent('count'), lessThan('count', MOST)]),
      otherwise: badRequest('webhook.too_many', { max: MOST }),
    };
    if (!before) return [update(key, { add: { count: 1 } }, room)];
    return after.is_deleted && !before.is_deleted ? [update(key, { add: { count: -1 } })] : [];
  },
};

/** The list's query string. */
export const WebhookList = plainQuery(webhooks.filters, { sorts: ['id'], pageSize: MAX_PAGE_SIZE });

const reader = new Reader(webhooks, {
  homeOf: ({ tenant }: Staff) => tenant,
  reach: (actor) => withinReachOf(actor),
});

/** Lists the webhooks of the companies that the caller reaches. */
export async function list(actor: Staff, query: ListQuery) {
  const page = await reader.listBare(actor, {
    ...query,
    where: [...query.where, equals('is_deleted', false)],
  });
  return { ...page, rows: await showAll(actor, page.rows) };
}

/** Gives one of them. */
export async function get(actor: Staff, id: number) {
  const record = await reader.get(actor, id);
  const [shown] = await showAll(actor, [record]);
  if (!shown) throw notFound();
  return shown;
}

/** Finds a webhook in the reach of a caller. 404 otherwise. */
export function find(actor: Staff, id: number): Promise<StoredWebhook> {
  return reader.get(actor, id);
}

/** Requires that a webhook as it was read is in the reach of a caller. 404 otherwise. */
export function requireReach(actor: Staff, record: StoredWebhook): void {
  reader.requireReach(actor, record);
}

/** Shows a webhook beside how its deliveries go. */
export function show<T extends StoredWebhook | z.input<typeof StoredWebhook>>(
  record: T,
  item: Item | undefined,
) {
  const lane = DispatchState.parse(item ?? {});
  const isOfNow = lane.generation === record.generation;
  return {
    ...record,
    failing_since: (isOfNow ? lane.failing_since : record.failing_since) ?? null,
    last_delivered_at: lane.last_delivered_at ?? null,
  };
}

async function showAll(actor: Staff, records: readonly StoredWebhook[]) {
  const { tenant } = actor;
  const [lanes, urls] = await Promise.all([
    getItems(records.map(({ id }): Key => dispatchStateKey({ tenant, id }))),
    Promise.all(records.map((record) => urlFor(actor, record))),
  ]);
  return records.map((record, index) => ({ ...show(record, lanes[index]), url: urls[index] ?? '' }));
}

/** Gives the url of a webhook as a caller sees it: its query only if they may touch it. Part 4, 4.2, 4. */
async function urlFor(actor: Staff, { url, creator_id }: StoredWebhook): Promise<string> {
  const plain = withoutQuery(url);
  return plain === url || (await isHeldBy(actor, creator_id)) ? url : plain;
}
