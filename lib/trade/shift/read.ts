import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { shiftSettingsOf } from '#lib/cash/desk/shift-rule.ts';
import { ShiftSettings } from '#lib/people/company/settings.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { getItem } from '#lib/table/read/get.ts';
import { ownerIn } from '#lib/table/transaction/names.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { missing } from '#lib/values/refusal.ts';
import { CashboxShift, currentKey, shifts } from './record.ts';
import { PARTIES, showShifts, type Told } from './show.ts';

/** The open shift of the caller, and the rules of their company. Part 3, "Cash shifts". */
export const CurrentShift = z.object({ data: CashboxShift.nullable(), settings: ShiftSettings });

/** Lists the shifts within the caller's reach. */
export function list(actor: Staff, query: ListQuery, told: Told) {
  return retryOnContention(async () => {
    const page = await listDocuments(shifts, actor, { ...query, embeds: [...PARTIES, ...query.embeds] });
    return { ...page, rows: await showShifts(actor.home, page.rows, told) };
  });
}

/** Reads one shift. 404 if it is out of the caller's reach. Decisions, 9 (46). */
export function get(actor: Staff, id: number, embeds: readonly Embed[], told: Told): Promise<CashboxShift> {
  return retryOnContention(async () => {
    const shift = await getDocument(shifts, actor, id, [...PARTIES, ...embeds]);
    const [shown] = await showShifts(actor.home, [shift], told);
    if (!shown) throw missing();
    return shown;
  });
}

/** Reads the shift that the caller has open, null if there is none. */
export async function current(actor: Staff, told: Told): Promise<z.input<typeof CurrentShift>> {
  const [claim, settings] = await Promise.all([getItem(currentKey(actor)), shiftSettingsOf(actor.companyId)]);
  const id = ownerIn(claim);
  return { data: id === undefined ? null : await get(actor, id, [], told), settings };
}
