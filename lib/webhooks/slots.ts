import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { type DispatchLease, LEASE_MS } from './dispatch-state.ts';

/*
 * At most three webhooks of a family are served at once: so slow receivers of one family never take all that
 * there is for deliveries. Who has a webhook's lane has a slot of its family beside it, by a lease as long.
 * Whoever dies leaves the slot to the next who serves the same webhook. No transaction ever touches slots.
 * Part 4, 4.2, 3.
 */

const SLOTS = ['slot_0', 'slot_1', 'slot_2'] as const;

type SlotName = (typeof SLOTS)[number];

const Until = z.number().default(0);
const WebhookId = z.int().optional();

/** The slots of a family as the table holds them: until when each is taken, and for which webhook. */
const Slots = z.object({
  slot_0: Until,
  slot_1: Until,
  slot_2: Until,
  slot_0_for: WebhookId,
  slot_1_for: WebhookId,
  slot_2_for: WebhookId,
  /** When somebody last found no slot free. */
  wanted_at: z.number().optional(),
});

type Slots = z.output<typeof Slots>;

/** A slot that was taken. */
interface Slot {
  readonly tenant: Tenant;
  readonly name: SlotName;
  readonly holder: string;
}

/** How long a wish for a slot counts: who waits tries again sooner. */
const WANTED_FOR_MS = 5000;

/** Gives the key of a family's slots. */
export function slotsKey(tenant: Tenant): Key {
  return { pk: `webhook-slots#${tenant}`, sk: 'slots' };
}

/** Reads the slots of a family off their item. */
export function slotsIn(item: Item | undefined): Slots {
  return Slots.parse(item ?? {});
}

/** Tells whether a slot is free for a webhook: one that nobody has, or its own. */
export function hasSlotFor(slots: Slots, id: number): boolean {
  return slotsFor(slots, id).length > 0;
}

/** Tells whether another webhook of the family has lately found no slot free. */
export function areWanted({ wanted_at = 0 }: Slots): boolean {
  return Math.abs(Date.now() - wanted_at) < WANTED_FOR_MS;
}

/** Notes that no slot was free for one who wanted one. */
export async function noteWanted(tenant: Tenant): Promise<void> {
  await updateOne(slotsKey(tenant), { set: { wanted_at: Date.now() } }, unlocked);
}

/** Takes a slot for who has a lane; undefined if others were faster. */
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

/** Leaves a slot, unless another has it by now. */
export async function leaveSlot({ tenant, name, holder }: Slot): Promise<void> {
  const unset = [name, `${name}_for`, `${name}_holder`];
  await updateOne(slotsKey(tenant), { unset }, equals(`${name}_holder`, holder));
}

/** Lists the slots that are free for a webhook, its own first: it never has two. */
function slotsFor(slots: Slots, id: number): SlotName[] {
  const now = Date.now();
  const own = SLOTS.filter((name) => slots[`${name}_for`] === id);
  return own.length > 0 ? own : SLOTS.filter((name) => slots[name] < now);
}
