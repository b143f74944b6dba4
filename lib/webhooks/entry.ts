import type { Staff } from '#lib/access/actor.ts';
import { canReach } from '#lib/access/keeper.ts';
import { FOLLOWED } from '#lib/table/feed/followed.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** A record as a receiver is told of it. */
export interface SeenRecord {
  readonly revision: number;
  readonly companyId: number | null;
}

/** Reads what a caller sees of a record; undefined if it is not there or out of reach. */
export async function readEntry(actor: Staff, type: string, id: number): Promise<SeenRecord | undefined> {
  const [word] = Object.entries(FOLLOWED).find(([, each]) => each === type) ?? [];
  const item = word === undefined ? undefined : await getItem(recordKey(word, actor.home, id));
  if (!item) return undefined;
  const companyId = typeof item['company_id'] === 'number' ? item['company_id'] : null;
  if (companyId !== null && !canReach(actor, companyId)) return undefined;
  return { revision: Number(item['version']), companyId };
}
