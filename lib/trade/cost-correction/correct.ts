import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import { StockLevel, stockLevelWrites } from '#lib/stock/stock-level.ts';
import { stockLevelKeys } from '#lib/stock/stock-levels.ts';
import { completionWrites, readCreditor } from '#lib/stock/supplier/payables.ts';
import { allWarehouses, requireNoStocktake } from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { documentRef, newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import {
  type CostCorrection,
  type CostCorrectionInput,
  type CostCorrectionLine,
  costCorrections,
} from '#lib/trade/goods-receipt/cost-correction.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireNoneApart, requireNoneGivenBack } from './apart.ts';
import { decideCorrection, requireCorrectableReceipt, requireOtherCosts } from './decide.ts';

/** Operations on corrections: list those of warehouses open to the caller, get one with its lines. */
export const { list, get } = documentsWithLines(costCorrections);

type Answer = CostCorrection & { readonly products: CostCorrectionLine[] };

/**
 * Corrects the costs of a completed goods receipt: its lines, the goods of them in stock, and the payable get
 * the new ones, and a document has the rest. Part 5, 5A.4. 400 for a receipt that is not completed or is a
 * stocktake's, as in `requireNoneApart` and `requireNoneGivenBack`, and if a stocktake has closed a warehouse
 * with its goods; 422 as in `requireOtherCosts` and `decideCorrection`, and if the payable would exceed the
 * limit.
 */
export function correctCosts(
  actor: Staff,
  { id, products: requested, comment }: CostCorrectionInput & { readonly id: number },
  at: Instant,
  saveResponse: (correction: Answer) => Write[],
): Promise<Answer> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [receipt, correctionId] = await Promise.all([
      getDocumentToChange(goodsReceipts, actor, id),
      nextId(costCorrections.type, tenant),
    ]);
    requireCorrectableReceipt(receipt);
    const { currency, company_id, stock_id, supplier_id } = receipt;
    const [lines, creditor, { rates, saleCurrency }] = await Promise.all([
      readAllLines(goodsReceipts, tenant, receipt),
      readCreditor(tenant, supplier_id),
      ratesOf(tenant, company_id),
    ]);
    const corrected = requireOtherCosts(lines, requested);
    const { stockLevels, closed } = await readGoodsOf(tenant, corrected, supplier_id === null ? null : id);
    const facts = { lines, currency, requested, stockLevels, reportCurrency: saleCurrency, rates };
    const plan = decideCorrection(facts);
    for (const { before } of plan.changed)
      requireNoStocktake({ inventory_id: closed.get(before.stock_id) ?? null });
    const { products, sums } = plan;
    const correction: CostCorrection = {
      ...{ id: correctionId, company_id, stock_id, purchase_id: id, supplier_id, ...makerOf(actor) },
      supplier_operation_id: creditor?.operationId ?? null,
      ...{ products_count: products.length, currency, report_currency: saleCurrency, ...sums },
      comment,
      created_at: at,
    };
    const made = newDocumentWrites(costCorrections, tenant, correction, products);
    const after = { ...receipt, amount: totalAmount(plan.lines), updated_at: at };
    const owed = { creditor, currency, amount: sums.amount, path: 'products' };
    const answer = { ...correction, products: [...products] };
    await transact([
      made.header,
      ...made.packs,
      ...documentReplacement(goodsReceipts, tenant, receipt, after),
      ...lineWrites(documentRef(goodsReceipts, tenant, id), plan.lines, receipt.products_count),
      ...completionWrites(
        actor,
        correction,
        { type: 'cost_correction', source_type: 'cost_correction', ...owed },
        at,
      ),
      ...plan.changed.flatMap((level) => stockLevelWrites(tenant, level.before, level.after)),
      ...saveResponse(answer),
    ]);
    return answer;
  });
}

/**
 * Reads the stock levels of lines in all warehouses of the family. The documents that have goods are read
 * between two reads of them: goods that left or came back in between are noticed, and later moves by the
 * versions of the stock levels. `Contention` if one has changed. 400 as in `requireNoneApart`.
 */
async function readGoodsOf(
  tenant: Tenant,
  lines: Parameters<typeof requireNoneApart>[1],
  supplierReceiptId: number | null,
) {
  const warehouses = await allWarehouses(tenant);
  const productIds = lines.map(({ product_id }) => product_id);
  const keys = warehouses.flatMap((warehouse) => stockLevelKeys(tenant, warehouse.id, productIds));
  const before = await getItems(keys);
  await Promise.all([
    requireNoneApart(tenant, lines),
    supplierReceiptId === null ? undefined : requireNoneGivenBack(tenant, supplierReceiptId),
  ]);
  const items = await getItems(keys);
  const isSame = items.every((item, index) => item?.['version'] === before[index]?.['version']);
  if (!isSame) throw new Contention();
  return {
    stockLevels: items.flatMap((item) => (item ? [parseStored(StockLevel, item)] : [])),
    closed: new Map(warehouses.map((warehouse) => [warehouse.id, warehouse.inventory_id])),
  };
}
