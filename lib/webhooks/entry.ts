import type { Staff } from '#lib/access/actor.ts';
import { canReach } from '#lib/access/keeper.ts';
import type { Item } from '#lib/table/client.ts';
import { COMPANY_RATES, FOLLOWED } from '#lib/table/feed/followed.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** A record that is told of. */
interface NamedRecord {
  readonly type: string;
  readonly id: number;
  /** As the change told it: what has no header of its own is found by its company. */
  readonly companyId: number | null;
}

/** A record as a receiver is told of it. */
export interface SeenRecord {
  readonly revision: number;
  readonly companyId: number | null;
}

/** Reads what a caller sees of a record; undefined if it is not there or out of reach. One round trip. */
export async function readEntry(actor: Staff, record: NamedRecord): Promise<SeenRecord | undefined> {
  const item = await readHeader(actor, record);
  if (!item) return undefined;
  const { type, id } = record;
  const companyId = type === 'company.company' ? id : (numberIn(item, 'company_id') ?? record.companyId);
  const desk = type === 'cashbox.cashbox' ? id : numberIn(item, 'cashbox_id');
  const warehouse = type === 'stock.stock' ? id : numberIn(item, 'stock_id');
  const isReached =
    (companyId === null || canReach(actor, companyId)) &&
    isOpen(actor.cashDesks, desk) &&
    isOpen(actor.warehouses, warehouse);
  return isReached ? { revision: Number(item['version']), companyId } : undefined;
}

async function readHeader({ home }: Staff, { type, id, companyId }: NamedRecord): Promise<Item | undefined> {
  // The rates of a company are one item.
  if (type === COMPANY_RATES.type)
    return companyId === null ? undefined : getItem(recordKey(COMPANY_RATES.word, home, companyId));
  const [word] = Object.entries(FOLLOWED).find(([, each]) => each === type) ?? [];
  return word === undefined ? undefined : getItem(recordKey(word, home, id));
}

function isOpen(open: 'all' | readonly number[], id: number | undefined): boolean {
  return open === 'all' || id === undefined || open.includes(id);
}

function numberIn(item: Item, name: string): number | undefined {
  const value = item[name];
  return typeof value === 'number' ? value : undefined;
}
