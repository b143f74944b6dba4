import * as z from 'zod';
import type { ChaosFamily } from './family.ts';
import { attempt, type Caller, type Story } from './perform.ts';

const Page = z.object({
  data: z.array(z.object({ id: z.int() })),
  meta: z.object({ total: z.int() }),
});

/** What makes a cheque. */
const SOLD = new Set(['sale', 'exchange']);

/**
 * Asks for a page of cheques while they are made, and answers with what is impossible: fewer than were
 * acknowledged before the call, more than had been begun when it ended, rows twice or in disorder.
 */
export async function checkList(caller: Caller, scene: ChaosFamily, record: Story): Promise<string[]> {
  const countSales = (all: Story['begun']) =>
    all.filter(({ kind, scene: { familyId } }) => SOLD.has(kind) && familyId === scene.familyId).length;
  const least = countSales(
    record.told.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation),
  );
  const page = caller.chance.next() < 0.7 ? 1 : caller.chance.between(1, 1 + Math.floor(least / 20));
  const request = `GET /company/trade/sale?page=${page}`;
  const { status, body } = await attempt(caller, { name: 'list', request, scene });
  const most = countSales(record.begun);
  if (status === undefined || status >= 500) return [];
  const { data, meta } = Page.parse(body);
  const ids = data.map(({ id }) => id);
  const isOrdered = ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0));
  const rows = Math.max(0, Math.min(20, meta.total - (page - 1) * 20));
  const where = `family ${scene.familyId}: ${request} has ${ids.length} rows of ${meta.total}`;
  return [
    ...(meta.total < least ? [`${where}, ${least} sales had been acknowledged`] : []),
    ...(meta.total > most ? [`${where}, ${most} sales had been begun`] : []),
    ...(ids.length === rows ? [] : [`${where}, and should have ${rows}`]),
    ...(isOrdered ? [] : [`${where}, out of order: ${ids}`]),
  ];
}
