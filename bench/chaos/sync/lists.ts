import * as z from 'zod';
import { SyncRowShape } from '#bench/support/sync-page.ts';
import type { Person } from '#bin/cli/person.ts';
import { SyncType } from '#lib/records/sync-type.ts';

/** All rows of lists, by type and id. */
export type Lists = ReadonlyMap<SyncType, ReadonlyMap<number, SyncRowShape>>;

/** Types without a list of the same rows; none of them change in a run. */
const WITHOUT_LIST: readonly SyncType[] = ['company.company', 'user.user'];

/** Types whose lists show the first hundred lines of each row. */
const WITH_LINES: readonly SyncType[] = [
  ...(['trade.sale', 'trade.hold', 'trade.purchase', 'trade.writeoff', 'trade.transfer'] as const),
  'trade.recalculation-batch',
  'trade.cost-correction',
];

const MAX_LISTED_LINES = 100;

/** Types with a list in each record of another type. */
const IN_OTHERS: Partial<Readonly<Record<SyncType, readonly [owner: SyncType, word: string]>>> = {
  'stock.supplier.operation': ['stock.supplier', 'operations'],
  'cashbox.transfer': ['cashbox.cashbox', 'transfers'],
};

const List = z.object({ data: z.array(SyncRowShape), meta: z.object({ last_page: z.int() }) });

/** Reads all lists of a caller, optionally with the lines of documents. */
export async function readLists(person: Person, { withLines = false } = {}): Promise<Lists> {
  const lists = new Map<SyncType, ReadonlyMap<number, SyncRowShape>>();
  for (const type of SyncType.options) {
    if (WITHOUT_LIST.includes(type)) continue;
    const rows: SyncRowShape[] = [];
    for (const path of pathsOf(type, lists)) rows.push(...(await readList(person, path, type, withLines)));
    lists.set(type, new Map(rows.map((row) => [row.id, row])));
  }
  return lists;
}

function pathsOf(type: SyncType, lists: Lists): string[] {
  const [owner, word] = IN_OTHERS[type] ?? [];
  if (owner === undefined) return [pathOf(type)];
  return [...(lists.get(owner)?.keys() ?? [])].map((id) => `${pathOf(owner)}/${id}/${word}`);
}

function pathOf(type: SyncType): string {
  return `/company/${type.replaceAll('.', '/')}`;
}

async function readList(
  person: Person,
  path: string,
  type: SyncType,
  withLines: boolean,
): Promise<SyncRowShape[]> {
  const lines = withLines && WITH_LINES.includes(type) ? '&with[]=products' : '';
  const rows: SyncRowShape[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const answer = List.parse((await person.call(`GET ${path}?page=${page}${lines}`)).body);
    for (const row of answer.data) rows.push(withLines ? await withAllLines(person, path, type, row) : row);
    last = answer.meta.last_page;
  }
  return rows;
}

const Lined = z.object({ products: z.array(z.looseObject({})) });

/** Adds to a row the lines that its list does not show: those of a stocktake, or of a document with many. */
async function withAllLines(
  person: Person,
  path: string,
  type: SyncType,
  row: SyncRowShape,
): Promise<SyncRowShape> {
  if (type === 'trade.inventory') return { ...row, products: await linesOfCount(person, path, row) };
  if (!WITH_LINES.includes(type) || Number(row['products_count']) <= MAX_LISTED_LINES) return row;
  return { ...row, products: await readLines(person, `${path}/${row.id}`) };
}

async function linesOfCount(person: Person, path: string, { id, status }: SyncRowShape) {
  if (status === 'in_progress') return null;
  return status === 'canceled' ? [] : readLines(person, `${path}/${id}`);
}

async function readLines(person: Person, path: string) {
  const { products } = Lined.parse((await person.call(`GET ${path}`)).body);
  return products.map(({ product: _, ...line }) => line);
}
