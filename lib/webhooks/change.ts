import type { Staff } from '#lib/auth/actor.ts';
import { editRecord, insertRecord } from '#lib/records/record-writes.ts';
import { newBase } from '#lib/records/records-of.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { requireCreatorGrants, requireDirectCaller } from './authority.ts';
import { checkRights } from './event.ts';
import { destinationOf } from './receiver/destination.ts';
import { newWebhookSecret, secretText } from './receiver/signature.ts';
import { newSecretFields, nextSecretFields } from './secret.ts';
import { find, get, requireReach, type StoredWebhook, show, type WebhookInput, webhooks } from './webhook.ts';

/**
 * Creates a webhook. 422 on a url without a valid receiver, and on event types that the caller may not
 * receive; 400 if the family has twenty; 403 under `auth-as`.
 */
export async function create(actor: Staff, input: WebhookInput, at: Instant) {
  requireDirectCaller(actor);
  const { tenant } = actor;
  const [id] = await Promise.all([nextId(webhooks.type, tenant), requireFit(actor, input)]);
  const secret = newWebhookSecret();
  const { is_active = true, ...fields } = input;
  const record = await insertRecord(webhooks, tenant, {
    ...newBase(id, at),
    company_id: actor.companyId,
    creator_id: actor.id,
    ...fields,
    is_active,
    disabled_at: is_active ? null : at,
    disabled_reason: null,
    failing_since: null,
    generation: 1,
    ...newSecretFields({ tenant, id }, secret),
  });
  return { ...show(record, undefined), secret: secretText(secret) };
}

/**
 * Edits a webhook. A new url issues a new secret and drops pending deliveries; a change of `is_active` drops
 * them too. 403 if the caller lacks a grant of its creator; otherwise as for a new one.
 */
export async function edit(actor: Staff, id: number, input: WebhookInput, at: Instant) {
  await requireCreatorGrants(actor, (await find(actor, id)).creator_id);
  await requireFit(actor, input);
  const secret = newWebhookSecret();
  const place = { tenant: actor.tenant, id };
  let isMoved = false;
  await editRecord({ type: webhooks, ...place }, at, (before) => {
    requireReach(actor, before);
    isMoved = before.url !== input.url;
    const { is_active = before.is_active, ...fields } = input;
    return {
      ...before,
      ...fields,
      ...activeFields(before, is_active, isMoved, at),
      ...(isMoved && newSecretFields(place, secret)),
    };
  });
  const after = await get(actor, id);
  return isMoved ? { ...after, secret: secretText(secret) } : after;
}

/** Deletes a webhook permanently, with its secrets. */
export async function remove(actor: Staff, id: number, at: Instant): Promise<void> {
  await requireCreatorGrants(actor, (await find(actor, id)).creator_id);
  await editRecord({ type: webhooks, tenant: actor.tenant, id }, at, (before) => {
    requireReach(actor, before);
    const empty = { url: '', description: null, types: [], sealed: '', sealed_before: null };
    return { ...before, ...empty, is_active: false, is_deleted: true };
  });
}

/** Rotates a webhook's secret; the previous one signs too for a day. */
export async function rotate(actor: Staff, id: number, at: Instant) {
  await requireCreatorGrants(actor, (await find(actor, id)).creator_id);
  const secret = newWebhookSecret();
  const place = { tenant: actor.tenant, id };
  await editRecord({ type: webhooks, ...place }, at, (before) => {
    requireReach(actor, before);
    return { ...before, ...nextSecretFields(place, before, secret, at) };
  });
  return { ...(await get(actor, id)), secret: secretText(secret) };
}

/** Returns the fields of the active state; a change of it, or of the url, drops pending deliveries. */
function activeFields(before: StoredWebhook, is_active: boolean, isMoved: boolean, at: Instant) {
  const isSame = is_active === before.is_active;
  const generation = isSame && !isMoved ? before.generation : before.generation + 1;
  if (isSame) return { generation };
  return {
    generation,
    is_active,
    disabled_at: is_active ? null : at,
    disabled_reason: null,
    failing_since: null,
  };
}

async function requireFit(actor: Staff, { url, types }: WebhookInput): Promise<void> {
  const issues = new ValidationIssues();
  const destination = await destinationOf(url);
  if (typeof destination === 'string') issues.add('url', destination);
  checkRights(actor, types, issues);
  issues.throwIfAny();
}
