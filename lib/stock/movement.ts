import * as z from 'zod';
import { type Maker, madeBy } from '#lib/access/actor.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import type { Part } from './part.ts';

/** Documents that move goods. */
const DocumentType = z.enum([
  'purchase',
  'sale',
  'sale_return',
  'exchange',
  'hold',
  'writeoff',
  'inventory',
  'transfer',
]);

/** The cause of a movement: the line of a document, when and by whom. */
export interface Cause {
  readonly document: z.output<typeof DocumentType>;
  readonly documentId: number;
  readonly lineId: number;
  readonly at: Instant;
  readonly by: Maker;
}

/**
 * One change of a balance, as callers see it; negative if goods went out. If batches were merged it is zero,
 * and its batches tell what left some and went into others. Decisions, 4.
 */
export const Movement = z.object({
  document_type: DocumentType,
  document_id: z.int(),
  line_id: z.int(),
  quantity: Quantity,
  quantity_before: Quantity,
  quantity_after: Quantity,
  batches: z.array(z.object({ id: z.int(), quantity: Quantity })),
  ...madeBy,
  created_at: Timestamp,
});

/**
 * A movement as the balance's row keeps it: document, its id and line, change, balance after, when, who, the
 * batches with their shares in turn, and the administrator who acted as its maker, if one did. A list, since
 * the names of attributes would be most of it.
 */
export const Entry = z.tuple([
  DocumentType,
  z.int(),
  z.int(),
  z.int(),
  z.int(),
  z.number(),
  z.int(),
  z.array(z.int()),
  z.int().optional(),
]);

export type Entry = z.output<typeof Entry>;

/** Movements in a page. A row keeps its latest ones until they fill a page. */
export const PAGE = 20;

/** Makes the entry of a change, after which `after` is left. */
export function entryOf(
  cause: Cause,
  change: number,
  after: number,
  parts: readonly Pick<Part, 'id' | 'quantity'>[],
): Entry {
  const { document, documentId, lineId, at, by } = cause;
  const shares = parts.flatMap(({ id, quantity }) => [id, quantity]);
  const { creator_id, impersonator_id } = by;
  const entry = [document, documentId, lineId, change, after, at, creator_id, shares] as const;
  return impersonator_id === null ? [...entry] : [...entry, impersonator_id];
}

/** Gives the key of a full page of a balance's movements. */
export function pageKey(home: Home, balanceId: number, page: number): Key {
  return { pk: `movements#${home}#${balanceId}`, sk: String(page).padStart(9, '0') };
}

/**
 * Reads movements of a balance by their ranks, the oldest first: `from` included, `to` not. One round trip.
 */
export async function movementsOf(
  home: Home,
  { id, pages, recent }: { readonly id: number; readonly pages: number; readonly recent: readonly Entry[] },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<z.input<typeof Movement>[]> {
  const first = Math.min(pages, Math.floor(from / PAGE));
  const last = Math.min(pages, Math.ceil(to / PAGE));
  const keys = Array.from({ length: last - first }, (_, index) => pageKey(home, id, first + index));
  const filled = (await getItems(keys)).flatMap((item) => Page.parse(item).entries);
  return [...filled, ...recent].slice(from - first * PAGE, to - first * PAGE).map(movementFrom);
}

const Page = z.object({ entries: z.array(Entry) });

function movementFrom([type, document, line, change, after, at, by, shares, behind]: Entry): z.input<
  typeof Movement
> {
  return {
    document_type: type,
    document_id: document,
    line_id: line,
    quantity: change,
    quantity_before: after - change,
    quantity_after: after,
    batches: pairs(shares).map(([id, quantity]) => ({ id, quantity })),
    creator_id: by,
    impersonator_id: behind ?? null,
    created_at: at,
  };
}

function pairs(values: readonly number[]): [number, number][] {
  return Array.from({ length: values.length / 2 }, (_, index) => [
    values[2 * index] ?? 0,
    values[2 * index + 1] ?? 0,
  ]);
}
