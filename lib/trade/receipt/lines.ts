import { requireTrading, type Staff } from '#lib/access/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { products } from '#lib/catalog/card.ts';
import { isThere } from '#lib/records/stored.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { type Cents, convertAmount, MOST_AMOUNT, totalAmount } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { ReceiptInput } from './input.ts';
import { BATCH, type ReceiptLine } from './record.ts';

/**
 * Makes the lines of a receipt, its total, and the company of its warehouse. Two round trips, whatever the
 * number of lines. 422 with all failing fields on records that don't exist or are not open to the caller, and
 * on an amount that is too large, also in the currency that the caller's company sells in, as such goods
 * could never be sold; 400 if the company of the warehouse is deleted.
 */
export async function linesToReceive(actor: Staff, input: ReceiptInput) {
  const problems = new Problems();
  const [firstId, { company_id, inSaleCurrency }] = await Promise.all([
    nextId(BATCH, actor.home, input.products.length),
    checkReferences(actor, input, problems),
  ]);
  const lines = input.products.map((asked, index): ReceiptLine => {
    const amount = amountOf(asked.cost, asked.quantity);
    if (amount > MOST_AMOUNT) problems.add(`products.${index}.quantity`, 'sale.amount_too_large');
    else if (inSaleCurrency(amount) > MOST_AMOUNT)
      problems.add(`products.${index}.cost`, 'sale.cost_too_large');
    return { ...asked, id: firstId + index, amount };
  });
  const amount = totalAmount(lines);
  if (amount > MOST_AMOUNT) problems.add('products', 'sale.amount_too_large');
  if (company_id === undefined || problems.areAny) throw problems.refusal;
  return { lines, amount, company_id };
}

/**
 * Checks what a receipt names, in one round trip; answers with the company of the warehouse, and amounts in
 * the caller's sale currency.
 */
async function checkReferences(actor: Staff, input: ReceiptInput, problems: Problems) {
  const { stock_id, supplier_id, currency } = input;
  const [ratesItem, warehouseItem, supplierItem, ...cards] = await getItems([
    keyOfRates(actor.home, actor.companyId),
    warehouses.keyOf(actor, stock_id),
    keyIfAny(supplier_id, (id) => suppliers.keyOf(actor, id)),
    ...input.products.map(({ product_id }) => recordKey(products.type, actor.home, product_id)),
  ]);
  const warehouse = warehouses.ifVisible(actor, warehouseItem);
  if (warehouse) requireTrading(actor, warehouse);
  else problems.add('stock_id', 'validation.not_found');
  if (supplier_id !== null && !suppliers.ifVisible(actor, supplierItem)) {
    problems.add('supplier_id', 'validation.not_found');
  }
  for (const [index, card] of cards.entries()) {
    if (!isThere(card)) problems.add(`products.${index}.product_id`, 'validation.not_found');
  }
  const { saleCurrency, rates } = ratesFrom(ratesItem);
  const inSaleCurrency = (amount: Cents) => convertAmount(amount, rates[currency], rates[saleCurrency]) ?? 0;
  return { company_id: warehouse?.company_id, inSaleCurrency };
}
