import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { type DispatchLease, LEASE_MS } from './dispatch-state.ts';

/*
 * At most three webhooks of a family are served at once, so slow receivers of one family never occupy all
 * dispatchers. The holder of a webhook's lease holds a slot of its family with an equally long lease. After a
 * crash the slot passes to the next holder for the same webhook. No transaction ever touches slots. Part 4,
 * 4.2, 3.
 */

const SLOTS = ['slot_0', 'slot_1', 'slot_2'] as const;

type SlotName = (typeof SLOTS)[number];

const Until = z.number().default(0);
const WebhookId = z.int().optional();

/** Slots of a family as stored: the end of each lease and its webhook. */
const Slots = z.object({
  slot_0: Until,
  slot_1: Until,
  slot_2: Until,
  slot_0_for: WebhookId,
  slot_1_for: WebhookId,
  slot_2_for: WebhookId,
  /** Time of the latest request that found no free slot. */
  wanted_at: z.number().optional(),
});

type Slots = z.output<typeof Slots>;

/** A slot that is held. */
interface Slot {
  readonly tenant: Tenant;
  readonly name: SlotName;
  readonly holder: string;
}

/** Lifetime of a request for a slot: a waiting webhook retries sooner. */
const WANTED_FOR_MS = 5000;

/** Returns the key of a family's slots. */
export function slotsKey(tenant: Tenant): Key {
  return { pk: `webhook-slots#${tenant}`, sk: 'slots' };
}

/** Parses the slots of a family. */
export function slotsIn(item: Item | undefined): Slots {
  return Slots.parse(item ?? {});
}

/** Returns whether a webhook can take a slot: a free one, or its own. */
export function hasSlotFor(slots: Slots, id: number): boolean {
  return slotsFor(slots, id).length > 0;
}

/** Returns whether another webhook of the family has lately found no free slot. */
export function areWanted({ wanted_at = 0 }: Slots): boolean {
  return Math.abs(Date.now() - wanted_at) < WANTED_FOR_MS;
}

/** Records that a webhook found no free slot. */
export async function noteWanted(tenant: Tenant): Promise<void> {
  await updateOne(slotsKey(tenant), { set: { wanted_at: Date.now() } }, unlocked);
}

/** Takes a slot for the holder of a lease; undefined if none is left. */
export async function takeSlot({ place, holder }: DispatchLease, slots: Slots): Promise<Slot | undefined> {
  const { tenant, id } = place;
  const now = Date.now();
  for (const name of slotsFor(slots, id)) {
    const isFree = any([absent(name), lessThan(name, now), equals(`${name}_for`, id)]);
    const set = { [name]: now + LEASE_MS, [`${name}_for`]: id, [`${name}_holder`]: holder };
    if (await updateOne(slotsKey(tenant), { set }, isFree)) return { tenant, name, holder };
  }
  return undefined;
}

/** Releases a slot, unless another holder has it. */
export async function leaveSlot({ tenant, name, holder }: Slot): Promise<void> {
  const unset = [name, `${name}_for`, `${name}_holder`];
  await updateOne(slotsKey(tenant), { unset }, equals(`${name}_holder`, holder));
}

/** Lists the slots available to a webhook: only its own if it has one, so it never has two. */
function slotsFor(slots: Slots, id: number): SlotName[] {
  const now = Date.now();
  const own = SLOTS.filter((name) => slots[`${name}_for`] === id);
  return own.length > 0 ? own : SLOTS.filter((name) => slots[name] < now);
}
