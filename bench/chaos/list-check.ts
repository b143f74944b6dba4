import type { ChaosFamily } from './family.ts';
import { attempt, type Caller, type RunHistory } from './perform.ts';

/** Operations that create a sale. */
const SOLD = new Set(['sale', 'exchange']);

/** Counts the acknowledged sales of a family, and those begun. */
export function countSales({ begun, outcomes }: RunHistory, { familyId }: ChaosFamily) {
  const own = (all: RunHistory['begun']) => all.filter(({ scene }) => scene.familyId === familyId);
  const count = (all: RunHistory['begun']) => own(all).filter(({ kind }) => SOLD.has(kind)).length;
  const done = outcomes.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation);
  const further = own(begun).reduce((sum, { mayMake = 0 }) => sum + mayMake, 0);
  return { acknowledged: count(done), begun: count(begun) + further };
}

/**
 * Reads a page of sales while they are made, and returns impossible findings: fewer than were acknowledged
 * before the call, more than had been begun when it ended, rows twice or in disorder.
 */
export async function checkList(caller: Caller, scene: ChaosFamily, record: RunHistory): Promise<string[]> {
  const { acknowledged: least } = countSales(record, scene);
  const page = caller.chance.next() < 0.7 ? 1 : caller.chance.between(1, 1 + Math.floor(least / 20));
  const request = `GET /company/trade/sale?page=${page}`;
  const reply = await attempt(caller, { name: 'list', request, scene });
  const { begun: max } = countSales(record, scene);
  if (!reply || reply.status >= 500) return [];
  const ids = reply.rows().map((row) => row.number('id'));
  const total = reply.number('meta.total');
  const isOrdered = ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0));
  const rows = Math.max(0, Math.min(20, total - (page - 1) * 20));
  const where = `family ${scene.familyId}: ${request} has ${ids.length} rows of ${total}`;
  return [
    ...(total < least ? [`${where}, ${least} sales had been acknowledged`] : []),
    ...(total > max ? [`${where}, ${max} sales had been begun`] : []),
    ...(ids.length === rows ? [] : [`${where}, and should have ${rows}`]),
    ...(isOrdered ? [] : [`${where}, out of order: ${ids}`]),
  ];
}
