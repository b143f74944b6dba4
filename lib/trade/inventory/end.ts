import type { Staff } from '#lib/access/actor.ts';
import { documentInsertion, documentReplacement, getDocument } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { type Stored, stored } from '#lib/records/stored.ts';
import { reopeningWrite } from '#lib/stock/inflow.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { type OwnerState, ownerState } from '#lib/table/transaction/standing.ts';
import { retryOnContention, transact, writeAhead } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { type Purchase, type PurchaseLine, purchases } from '#lib/trade/receipt/record.ts';
import {
  amountsOf,
  WRITE_OFF_LINE,
  type WriteOff,
  type WriteOffLine,
  writeOffs,
} from '#lib/trade/write-off/record.ts';
import { label } from '#lib/values/labels/label.ts';
import { Currency, totalAmount } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { sendFinish } from './finish.ts';
import type { CountedLine } from './line.ts';
import { positionsOf, readPositions } from './positions.ts';
import { countPlace, inventories, requireInProgress, type StoredInventory, totals } from './record.ts';
import { statsWrite } from './report/stats.ts';

/*
 * The end of a count. However many positions it has, it is one native transaction of a dozen items: the
 * document, which owns the lock of all balances that were counted (`standing.ts`), turns committed or
 * aborted, and the warehouse is open again. What each line differs by and costs was settled when it was
 * counted, and stands in the line.
 *
 * Receipt and write-off are made of the lines before that: their packs stand at keys that nobody reads before
 * the documents are there, and are written side by side, outside any transaction. Of a call that dies between
 * they are all that is left. On real DynamoDB, 10 000 positions that all differ are a hundred packs of 13 to
 * 20 KB: 1 300 to 2 000 units on one or two partitions, so two seconds; to read the lines takes 600 units of
 * eight partitions. A worker brings the balances up behind it, two units each on a partition of its own;
 * until then readers and writers see them through the lock.
 */

/** A document that a count makes, with the packs that are written ahead. */
interface Made {
  readonly packs: readonly Write[];
  readonly document: Write;
}

/**
 * Completes a count: books are what was counted; the surplus is a receipt a currency, the shortage a
 * write-off. 400 if a line is unchecked, and for a count that is over. Part 2, "Inventories"; Decisions, 9
 * (11), (12).
 */
export function completeCount(
  actor: Staff,
  id: number,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  return ended(actor, id, 'committed', async (inventory, warehouse) => {
    // They are read after the document: what changes from then on changes its version.
    const positions = positionsOf(await readPositions(countPlace(home, id)));
    const lines = positions.flatMap(({ line }) => line ?? []);
    const completed = {
      ...inventory,
      company_id: warehouse.company_id,
      updater_id: actor.id,
      status: 'completed',
      completed_at: at,
      updated_at: at,
    } as const;
    const occasion = { inventory: completed, home, by: actor.id, at, locale };
    const made = await Promise.all([
      ...Currency.options.map((currency) => receiptOf(occasion, currency, lines)),
      writeOffOf(occasion, lines),
    ]);
    const documents = made.flat();
    await writeAhead(documents.flatMap(({ packs }) => packs));
    return {
      after: completed,
      writes: [...documents.map(({ document }) => document), statsWrite(home, inventory, at), ...remember()],
    };
  });
}

/** Cancels a count: its lines are gone, and nothing has moved. 400 for a count that is over. */
export function cancelCount(actor: Staff, id: number, at: Instant, remember: () => Write[]): Promise<void> {
  return ended(actor, id, 'aborted', async (inventory) => {
    const after = {
      ...inventory,
      ...totals(() => 0),
      category_ids: {},
      brand_ids: {},
      updater_id: actor.id,
      status: 'canceled',
      updated_at: at,
    } as const;
    return { after, writes: remember() };
  });
}

/** Ends a count and opens its warehouse, in one transaction, and has a worker see to what is left. */
async function ended(
  actor: Staff,
  id: number,
  state: Exclude<OwnerState, 'preparing'>,
  decide: (
    inventory: Stored<typeof inventories.schema>,
    warehouse: Stored<typeof warehouses.Warehouse>,
  ) => Promise<{ readonly after: StoredInventory; readonly writes: readonly Write[] }>,
): Promise<void> {
  const { home } = actor;
  let announced: Promise<void> | undefined;
  await retryOnContention(async () => {
    const inventory = await getDocument(inventories, actor, id);
    requireInProgress(inventory);
    if (state === 'committed') requireChecked(inventory);
    // If this call dies once it has ended the count, the worker hears of it from this message.
    announced ??= sendFinish(actor.familyId, id, 'later');
    const key = warehouses.warehouseKey(home, inventory.stock_id);
    const warehouse = stored(warehouses.Warehouse, await getItem(key));
    const [{ after, writes }] = await Promise.all([decide(inventory, warehouse), announced]);
    await transact([
      ...documentReplacement(inventories, home, inventory, { ...after, ...ownerState(state) }),
      ...warehouses.countWrites(home, warehouse, null),
      reopeningWrite(home, warehouse.id),
      ...writes,
    ]);
  });
  await sendFinish(actor.familyId, id, 'now');
}

function requireChecked({ products_count, checked_products_count }: StoredInventory): void {
  const left = products_count - checked_products_count;
  if (left > 0) throw refuse('inventory.positions_unchecked', { count: left });
}

/** What a count's documents have in common. */
interface Occasion {
  readonly inventory: StoredInventory;
  readonly home: Home;
  readonly by: number;
  readonly at: Instant;
  readonly locale: Locale;
}

/** The receipt of a surplus in a currency; none without such lines. */
async function receiptOf(
  { inventory, home, by, at }: Occasion,
  currency: Currency,
  counted: readonly CountedLine[],
): Promise<Made[]> {
  const lines = counted.flatMap(
    ({ product_id, stock_quantity, actual_quantity, surplus }): PurchaseLine[] => {
      if (surplus?.currency !== currency) return [];
      const { batch_id: id, cost, amount } = surplus;
      return [{ id, product_id, quantity: actual_quantity - stock_quantity, cost, amount, sale_price: null }];
    },
  );
  if (lines.length === 0) return [];
  const id = await nextId(purchases.type, home);
  const { company_id, stock_id } = inventory;
  const purchase: Purchase = {
    id,
    creator_id: by,
    company_id,
    stock_id,
    supplier_id: null,
    supplier_operation_id: null,
    inventory_id: inventory.id,
    currency,
    amount: totalAmount(lines),
    status: 'completed',
    comment: null,
    products_count: lines.length,
    completed_at: at,
    created_at: at,
    updated_at: at,
  };
  return [
    {
      packs: lineWrites({ type: purchases.type, home, id }, lines),
      document: documentInsertion(purchases, home, purchase),
    },
  ];
}

/** The write-off of a shortage; none without one. */
async function writeOffOf(
  { inventory, home, by, at, locale }: Occasion,
  counted: readonly CountedLine[],
): Promise<Made[]> {
  const short = counted.filter(({ shortage }) => shortage !== undefined);
  if (short.length === 0) return [];
  const [id, first] = await Promise.all([
    nextId(writeOffs.type, home),
    nextId(WRITE_OFF_LINE, home, short.length),
  ]);
  const given = { source_product_id: null, reason: 'common_loss', comment: null } as const;
  const lines = short.map(
    ({ product_id, stock_quantity, actual_quantity, shortage = [] }, index): WriteOffLine => ({
      ...given,
      id: first + index,
      product_id,
      quantity: stock_quantity - actual_quantity,
      batches: shortage,
    }),
  );
  const { company_id, stock_id } = inventory;
  const writeOff: WriteOff = {
    id,
    creator_id: by,
    company_id,
    source_type: 'inventory',
    source_id: inventory.id,
    stock_id,
    supplier_id: null,
    supplier_operation_id: null,
    name: label(locale, { key: 'inventory.title', with: { id: inventory.id } }),
    status: 'completed',
    amounts: amountsOf(lines),
    products_count: lines.length,
    completed_at: at,
    created_at: at,
    updated_at: at,
  };
  return [
    {
      packs: lineWrites({ type: writeOffs.type, home, id }, lines),
      document: documentInsertion(writeOffs, home, writeOff),
    },
  ];
}
