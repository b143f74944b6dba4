import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { documentNameOf, type Holder, KINDS, readAgain, readOpen, readRecent } from './holders.ts';

/** Goods of a stock level committed to documents: held, and in transit. */
export interface CommittedStock {
  /** Quantity in transit to another warehouse. */
  readonly sent: bigint;
  /** Quantity in transit from another warehouse. */
  readonly coming: bigint;
  /** Goods on hold. */
  readonly held: readonly BatchPart[];
  /** Goods in transit to another warehouse. */
  readonly gone: readonly BatchPart[];
}

/** None of the goods of a stock level. */
export const NOTHING_COMMITTED: CommittedStock = { sent: 0n, coming: 0n, held: [], gone: [] };

/** Committed goods by stock level, and their documents by name. */
export interface AllApart {
  readonly byStockLevel: ReadonlyMap<string, CommittedStock>;
  readonly holders: ReadonlyMap<string, Holder>;
}

const Line = z.object({ product_id: z.int(), batches: z.array(BatchPart) });

/** Documents whose lines are read at once, and concurrent reads. */
const STEP = 100;
const SIDE_BY_SIDE = 4;

/** Returns the name of a stock level: a product in a warehouse. */
export function stockLevelName({ stock_id, product_id }: Record<'stock_id' | 'product_id', number>): string {
  return `${stock_id} ${product_id}`;
}

/** Parses the name of a stock level. */
export function placeOf(name: string) {
  const [stock_id = 0, product_id = 0] = name.split(' ').map(Number);
  return { stock_id, product_id };
}

/**
 * Reads the goods that open holds and transfers in transit have taken from warehouses, or bring to them;
 * goods in transit belong to the sender. Of documents without goods it returns those created since shortly
 * before `since`, and those of `before` that had goods. Undefined if a document changed during the read.
 * Five round trips up to some hundred documents.
 */
export async function readCommittedStock(
  tenant: Tenant,
  stockIds: ReadonlySet<number>,
  since: Instant,
  before: AllApart['holders'] = new Map(),
): Promise<AllApart | undefined> {
  const found = await Promise.all(
    KINDS.flatMap((kind) => [readOpen(kind, tenant, [...stockIds]), readRecent(kind, tenant, since)]),
  );
  const holders = new Map<string, Holder>();
  const add = (holder: Holder) => {
    const known = holders.get(documentNameOf(holder));
    if (known && known.version >= holder.version) return;
    if (holder.stocks.some((id) => stockIds.has(id))) holders.set(documentNameOf(holder), holder);
  };
  for (const holder of found.flat()) add(holder);
  const gone = [...before.values()].filter((holder) => holder.isOpen && !holders.has(documentNameOf(holder)));
  for (const holder of await readAgain(tenant, gone)) add(holder);
  return withLines(tenant, holders);
}

/** Reads the lines of documents with goods; undefined if one of them changed during the read. */
async function withLines(
  tenant: Tenant,
  holders: ReadonlyMap<string, Holder>,
): Promise<AllApart | undefined> {
  const open = [...holders.values()].filter(({ isOpen }) => isOpen);
  const lines = await readDocumentLines(tenant, open);
  const after = await readAgain(tenant, open);
  const byStockLevel = new Map<string, CommittedStock>();
  const whole = new Map(holders);
  for (const [index, holder] of open.entries()) {
    const own = lines[index];
    if (!own || after[index]?.version !== holder.version) return undefined;
    for (const each of own) addLine(byStockLevel, holder, each);
    whole.set(documentNameOf(holder), { ...holder, stockLevels: stockLevelNames(holder, own) });
  }
  return { byStockLevel, holders: whole };
}

/** Reads the lines of documents; undefined for one that has fewer by now. */
export async function readDocumentLines(
  tenant: Tenant,
  holders: readonly Holder[],
): Promise<(z.input<typeof Line>[] | undefined)[]> {
  const found = await mapConcurrent(splitEvery(holders, STEP), SIDE_BY_SIDE, (step) =>
    readLinesOfAll(
      step.map(({ type, id, products_count: count }) => ({ place: { type, tenant, id }, count })),
    ),
  );
  return found.flat().map((lines) => lines?.map((line) => parseStored(Line, line)));
}

/** Returns the stock levels that a document's goods come from and go to. */
export function stockLevelNames(
  { stocks }: Pick<Holder, 'stocks'>,
  lines: readonly Pick<z.input<typeof Line>, 'product_id'>[],
): string[] {
  return stocks.flatMap((stock_id) =>
    lines.map(({ product_id }) => stockLevelName({ stock_id, product_id })),
  );
}

function addLine(
  byStockLevel: Map<string, CommittedStock>,
  { type, stocks: [stock_id = 0, to] }: Holder,
  { product_id, batches }: z.input<typeof Line>,
): void {
  const quantity = batches.reduce((sum, part) => sum + BigInt(part.quantity), 0n);
  const taken =
    type === stockTransfers.type
      ? { sent: quantity, held: [], gone: batches }
      : { sent: 0n, held: batches, gone: [] };
  addTo(byStockLevel, { stock_id, product_id }, { coming: 0n, ...taken });
  if (to !== undefined)
    addTo(byStockLevel, { stock_id: to, product_id }, { ...NOTHING_COMMITTED, coming: quantity });
}

function addTo(
  byStockLevel: Map<string, CommittedStock>,
  place: Parameters<typeof stockLevelName>[0],
  { sent, coming, held, gone }: CommittedStock,
): void {
  const name = stockLevelName(place);
  const before = byStockLevel.get(name) ?? NOTHING_COMMITTED;
  byStockLevel.set(name, {
    sent: before.sent + sent,
    coming: before.coming + coming,
    held: [...before.held, ...held],
    gone: [...before.gone, ...gone],
  });
}
