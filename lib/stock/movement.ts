import * as z from 'zod';
import { type Maker, madeBy } from '#lib/auth/actor.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Quantity, type Units } from '#lib/values/quantity.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import type { BatchPart } from './batch-part.ts';

/** A document's share of a batch. */
type Share = Pick<BatchPart, 'id' | 'quantity'>;

/** Change of a stock level, the quantity after it, and the batches affected. */
interface MovementChange {
  readonly change: Units;
  readonly after: Units;
  readonly parts: readonly Share[];
}

/** Stored movements of a stock level: the number of full pages, and the movements not yet on one. */
interface StoredMovements {
  readonly pages: number;
  readonly recent: MovementText;
}

/** Types of documents that move goods. */
const DocumentType = enumeration('document', [
  'purchase',
  'sale',
  'sale_return',
  'exchange',
  'hold',
  'writeoff',
  'inventory',
  'transfer',
]);

/** Cause of a movement: document line, time and user. */
export interface Cause {
  readonly document: z.output<typeof DocumentType>;
  readonly documentId: number;
  readonly lineId: number;
  readonly at: Instant;
  readonly by: Maker;
}

/**
 * Published change of a stock level; negative if goods went out. For a merge of batches it is zero, and
 * `batches` shows the quantities moved between them. Contract 4.
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

/*
 * A stock level's row stores its movements as text, one line each: document type, its id, line id, change,
 * balance after, time, user, and the batches with their shares. A sale appends a line and parses none. As
 * lists of attributes, ten to a movement, they were most of the work per line of a sale, read and written
 * again each time. Ids and times are in base 36, and trailing zeros of quantities are counted, so that a row
 * usually stays below a kilobyte.
 *
 *     sale 9ix 1gdy -1e8 98e8 mgu3vkk6 7 9l:1e8
 *
 * An impersonating administrator follows the user after a slash: `7/2`.
 */

/** Movements per page. A row holds its latest ones until they fill a page. */
export const PAGE = 20;

/** Stored movements, oldest first. */
export type MovementText = string;

/** Appends the movement of a change that leaves `after`. */
export function addMovement(
  text: MovementText,
  cause: Cause,
  { change, after, parts }: MovementChange,
): MovementText {
  const { creator_id, impersonator_id } = cause.by;
  const by = impersonator_id === null ? [creator_id] : [creator_id, impersonator_id];
  const shares = parts.map(({ id, quantity }) => `${textOfId(id)}:${textOfUnits(quantity)}`).join(',');
  const line = [cause.documentId, cause.lineId].map(textOfId);
  const moved = [textOfUnits(change), textOfUnits(after), textOfId(cause.at)];
  return `${[text + cause.document, ...line, ...moved, by.map(textOfId).join('/'), shares].join(' ')}\n`;
}

/** Counts the movements in a text. */
export function countMovements(text: MovementText): number {
  return text.split('\n').length - 1;
}

/** Cuts the oldest page off a text that has at least one. */
export function cutPage(text: MovementText): { readonly page: MovementText; readonly rest: MovementText } {
  const page = `${text.split('\n', PAGE).join('\n')}\n`;
  return { page, rest: text.slice(page.length) };
}

/** Counts all movements of a stock level. */
export function movementsIn({ pages, recent }: StoredMovements): number {
  return pages * PAGE + countMovements(recent);
}

/** Returns the key of a full page of a stock level's movements. */
export function pageKey(tenant: Tenant, balanceId: number, page: number): Key {
  return { pk: `movements#${tenant}#${balanceId}`, sk: String(page).padStart(9, '0') };
}

/**
 * Reads movements of a stock level by rank, oldest first, from `from` up to but excluding `to`. One round
 * trip.
 */
export async function movementsOf(
  tenant: Tenant,
  { id, pages, recent }: StoredMovements & { readonly id: number },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<z.input<typeof Movement>[]> {
  const first = Math.min(pages, Math.floor(from / PAGE));
  const last = Math.min(pages, Math.ceil(to / PAGE));
  const keys = Array.from({ length: last - first }, (_, index) => pageKey(tenant, id, first + index));
  const filled = (await getItems(keys)).map((item) => Page.parse(item).entries);
  const lines = [...filled, recent].join('').split('\n').slice(0, -1);
  return lines.slice(from - first * PAGE, to - first * PAGE).map(movementFrom);
}

const Page = z.object({ entries: z.string() });

function movementFrom(line: string): z.input<typeof Movement> {
  const [document, id = '', lineId = '', change = '', after = '', at = '', by = '', shares = ''] =
    line.split(' ');
  const [creator_id = 0, impersonator_id = null] = by.split('/').map(idFrom);
  return {
    document_type: DocumentType.parse(document),
    document_id: idFrom(id),
    line_id: idFrom(lineId),
    quantity: Number(change),
    quantity_before: Number(after) - Number(change),
    quantity_after: Number(after),
    batches: shares === '' ? [] : shares.split(',').map(shareFrom),
    creator_id,
    impersonator_id,
    created_at: idFrom(at),
  };
}

function shareFrom(text: string): Share {
  const [id = '', quantity = ''] = text.split(':');
  return { id: idFrom(id), quantity: Number(quantity) };
}

function textOfId(id: number): string {
  return id.toString(36);
}

function idFrom(text: string): number {
  return Number.parseInt(text, 36);
}

/** Replaces three or more trailing zeros by their number: `25e7`. Exact for every integer. */
function textOfUnits(units: Units): string {
  return String(units).replace(/0{3,}$/, ({ length }) => `e${length}`);
}
