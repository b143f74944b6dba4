import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { newDocumentWrites, readAllLines, readGoods } from '#lib/trade/document/lines.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import { draftGoodsRemoval } from '#lib/trade/draft/record.ts';
import { quantitiesTaken, readCards } from '#lib/trade/sale/cart.ts';
import { readSaleContext } from '#lib/trade/sale/sale-context.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideContents, isRise, reachable, targetsOf } from './decide-contents.ts';
import {
  decideAddition,
  decideCancel,
  decideHold,
  type HoldChange,
  type HoldFacts,
  holdChangeWrites,
  placeOfHold,
} from './decide-hold.ts';
import {
  type FullHold,
  type HeldGoods,
  HOLD_LINE,
  type Hold,
  type HoldContents,
  type HoldInput,
  HoldLine,
  holds,
  type OpenHold,
} from './record.ts';

/**
 * Reserves goods for a customer: they leave stock at once, the oldest batches first, and the desk's draft
 * that they come from keeps its services alone. 422 with all failing fields; 400 if a stocktake has closed
 * the warehouse. Part 2, "Holds".
 */
export async function create(
  actor: Staff,
  input: HoldInput,
  at: Instant,
  saveResponse: (hold: Hold) => Write[],
): Promise<Hold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [id, facts] = await Promise.all([nextId(holds.type, tenant), readFacts(actor, input)]);
    const { hold, lines, basis } = decideHold(actor, input, { ...facts, id }, at);
    const { header, packs } = newDocumentWrites(holds, tenant, hold, lines);
    const draft = await draftGoodsRemoval(tenant, basis.desk, input.cheque, at);
    await transact([header, ...packs, ...basis.stockLevels.writes(), draft, ...saveResponse(hold)]);
    return hold;
  });
}

/**
 * Adds the goods of a desk's sale draft to a hold; the draft keeps its services alone. A product already in
 * the hold is added at its held price. 400 for a hold that is closed or canceled, 422 with all failing
 * fields. Part 2, "Holds".
 */
export async function addProducts(
  actor: Staff,
  { id, ...input }: HeldGoods & { readonly id: number },
  at: Instant,
  saveResponse: (hold: FullHold) => Write[],
): Promise<FullHold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const hold = await getOpenHold(actor, id);
    const [held, facts] = await Promise.all([
      readAllLines(holds, tenant, hold),
      readFacts(actor, { ...input, ...placeOfHold(hold), ownCurrency: hold.currency }),
    ]);
    const { basis, ...change } = decideAddition(actor, input, { ...facts, hold, held }, at);
    const [full, draft] = await Promise.all([
      showChanged(tenant, change),
      draftGoodsRemoval(tenant, basis.desk, input.cheque, at),
    ]);
    const writes = [...holdChangeWrites(tenant, change), ...basis.stockLevels.writes(), draft];
    await transact([...writes, ...saveResponse(full)]);
    return full;
  });
}

/**
 * Changes a hold to the requested contents: increases are taken from stock, decreases and omitted lines
 * return to their batches. 400 if it is closed or canceled, 422 with all failing fields. Part 2, "Holds".
 */
export async function updateProducts(
  actor: Staff,
  { id, ...requested }: HoldContents & { readonly id: number },
  at: Instant,
  saveResponse: (hold: FullHold) => Write[],
): Promise<FullHold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const facts = await readContents(actor, id, requested);
    const { stockLevels, ...change } = decideContents(actor, requested, facts, at);
    const full = await showChanged(tenant, change);
    const writes = [...holdChangeWrites(tenant, change), ...stockLevels.writes(facts.warehouse)];
    await transact([...writes, ...saveResponse(full)]);
    return full;
  });
}

/** Reads the facts of a change of contents. 400 if more is to be held and the company is deleted. */
async function readContents(actor: Staff, id: number, requested: HoldContents) {
  const { tenant } = actor;
  const hold = await getOpenHold(actor, id);
  const { lines, warehouse, productIds } = await readGoods(holds, actor, hold);
  const targets = targetsOf(requested, lines);
  const rises = targets.filter(isRise);
  if (rises.length > 0) requireTrading(actor, hold);
  const [stockLevels, cards] = await Promise.all([
    readStockLevels(tenant, warehouse.id, productIds),
    readCards(
      tenant,
      rises.map(({ line }) => line.product_id),
    ),
  ]);
  const quantities = quantitiesTaken(requested.products, stockLevels, reachable(targets, stockLevels));
  const accuracies = await readAccuracies(actor, quantities);
  return { hold, lines, warehouse, stockLevels, cards, quantities, accuracies };
}

/**
 * Cancels a hold: its goods return to the batches they were taken from. 400 if it is closed or canceled, or a
 * stocktake has closed the warehouse. Part 2, "Hold".
 */
export function cancelHold(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const hold = await getOpenHold(actor, id);
    const { lines, warehouse, productIds } = await readGoods(holds, actor, hold);
    const read = await readStockLevels(tenant, warehouse.id, productIds);
    const { after, stockLevels } = decideCancel(actor, { hold, lines, stockLevels: read }, at);
    await transact([
      ...documentReplacement(holds, tenant, hold, after),
      ...stockLevels.writes(warehouse),
      ...saveResponse(),
    ]);
  });
}

/** Reads a hold in progress. 404 as for the hold itself, 400 if it is closed or canceled. One round trip. */
async function getOpenHold(actor: Staff, id: number): Promise<OpenHold> {
  const hold = await getDocumentToChange(holds, actor, id);
  if (hold.status !== 'in_progress') throw badRequest('hold.not_in_progress');
  return hold;
}

/** Reads the context of goods for a hold: a sale's, in the hold's currency if it has one. */
async function readFacts(
  actor: Staff,
  named: HeldGoods & {
    readonly stock_id: number;
    readonly client_id?: number | null;
    readonly stockPath?: string;
    readonly ownCurrency?: Currency;
    readonly price_type_id: number | null;
  },
): Promise<HoldFacts> {
  const { client_id = null } = named;
  const terms = { client_id, movesMoney: false, lineType: HOLD_LINE };
  const basis = await readSaleContext(actor, { ...named, ...terms });
  const quantities = quantitiesTaken(named.products, basis.stockLevels);
  return { basis, quantities, accuracies: await readAccuracies(actor, quantities, basis.products) };
}

/** Shows a hold after its change, with the cards of its lines. One round trip. */
async function showChanged(tenant: Tenant, { after, lines }: HoldChange): Promise<FullHold> {
  return { ...after, products: await withProducts(HoldLine, tenant, lines) };
}
