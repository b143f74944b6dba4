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
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, optionalText, visible } from '#lib/values/fields.ts';
import { Timestamp } from '#lib/values/time.ts';
import { isHeldBy } from './authority.ts';
import { DispatchState, dispatchStateKey } from './dispatch-state.ts';
import { EventType } from './event.ts';
import { MAX_CHARACTERS, withoutQuery } from './receiver/destination.ts';

/** Reasons for which the service disables a webhook. Part 4, 4.2. */
const DisabledReason = enumeration('webhook.disabled_reason', ['receiver', 'failures', 'backlog', 'creator']);

export type DisabledReason = z.output<typeof DisabledReason>;

/** A webhook in responses. Part 4, 4.2. */
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

/** A webhook with a new secret, which is shown only once. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() });

/** An edited webhook, with a new secret if its url changed. */
export const ChangedWebhook = Webhook.extend({ secret: z.string().optional() });

/** Input to create or edit a webhook. */
export const WebhookInput = z.object({
  url: visible(z.string().max(MAX_CHARACTERS)),
  description: optionalText(1000),
  types: z
    .array(EventType)
    .min(1)
    .max(120)
    .refine((types) => new Set(types).size === types.length, { error: 'validation.duplicate' }),
  /** If left out, unchanged; true for a new webhook. */
  is_active: z.boolean().optional(),
});

export type WebhookInput = z.output<typeof WebhookInput>;

/** A webhook as stored. */
export const StoredWebhook = Webhook.omit({ last_delivered_at: true }).extend({
  ...recordFields,
  /** Company of its creator: callers with this company in reach see the webhook. */
  company_id: z.int(),
  /** Raised whenever pending deliveries are dropped: they belong to the generation before. */
  generation: z.int(),
  /** Its secret, encrypted, and the previous one, which signs until the given time. Never in responses. */
  sealed: z.string(),
  sealed_before: z.string().nullable(),
  sealed_before_until: z.number().nullable(),
});

export type StoredWebhook = Stored<typeof StoredWebhook>;

const MAX_WEBHOOKS = 20;

/** Webhooks of a family. A deleted one stays as an empty record and does not count toward the limit. */
export const webhooks: RecordType<typeof StoredWebhook> = {
  type: 'webhook',
  schema: StoredWebhook,
  filters: { id: exactOrList('id', Id), is_active: exact('is_active', z.boolean()) },
  alsoWrites: (tenant, before, after) => {
    const key = { pk: `webhook-count#${tenant}`, sk: 'count' };
    const room = {
      if: any([absent('count'), lessThan('count', MAX_WEBHOOKS)]),
      otherwise: badRequest('webhook.too_many', { max: MAX_WEBHOOKS }),
    };
    if (!before) return [update(key, { add: { count: 1 } }, room)];
    return after.is_deleted && !before.is_deleted ? [update(key, { add: { count: -1 } })] : [];
  },
};

/** Query string of the list. */
export const WebhookList = plainQuery(webhooks.filters, { sorts: ['id'], pageSize: MAX_PAGE_SIZE });

const reader = new Reader(webhooks, {
  homeOf: ({ tenant }: Staff) => tenant,
  reach: (actor) => withinReachOf(actor),
});

/** Lists the webhooks of the companies in the caller's reach. */
export async function list(actor: Staff, query: ListQuery) {
  const page = await reader.listBare(actor, {
    ...query,
    where: [...query.where, equals('is_deleted', false)],
  });
  return { ...page, rows: await showAll(actor, page.rows) };
}

/** Returns one webhook. */
export async function get(actor: Staff, id: number) {
  const record = await reader.get(actor, id);
  const [shown] = await showAll(actor, [record]);
  if (!shown) throw notFound();
  return shown;
}

/** Finds a webhook within the caller's reach. 404 otherwise. */
export function find(actor: Staff, id: number): Promise<StoredWebhook> {
  return reader.get(actor, id);
}

/** Requires that a loaded webhook is within the caller's reach. 404 otherwise. */
export function requireReach(actor: Staff, record: StoredWebhook): void {
  reader.requireReach(actor, record);
}

/** Returns a webhook with its delivery health. */
export function show<T extends StoredWebhook | z.input<typeof StoredWebhook>>(
  record: T,
  item: Item | undefined,
) {
  const state = DispatchState.parse(item ?? {});
  const isOfNow = state.generation === record.generation;
  return {
    ...record,
    failing_since: (isOfNow ? state.failing_since : record.failing_since) ?? null,
    last_delivered_at: state.last_delivered_at ?? null,
  };
}

async function showAll(actor: Staff, records: readonly StoredWebhook[]) {
  const { tenant } = actor;
  const [states, urls] = await Promise.all([
    getItems(records.map(({ id }): Key => dispatchStateKey({ tenant, id }))),
    Promise.all(records.map((record) => urlFor(actor, record))),
  ]);
  return records.map((record, index) => ({ ...show(record, states[index]), url: urls[index] ?? '' }));
}

/** Returns the url of a webhook for a caller: with its query only if they may manage it. Part 4, 4.2, 4. */
async function urlFor(actor: Staff, { url, creator_id }: StoredWebhook): Promise<string> {
  const plain = withoutQuery(url);
  return plain === url || (await isHeldBy(actor, creator_id)) ? url : plain;
}
