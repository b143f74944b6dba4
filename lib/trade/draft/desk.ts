import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { bundles } from '#lib/catalog/bundle.ts';
import { products } from '#lib/catalog/card.ts';
import { services } from '#lib/catalog/service/service.ts';
import * as clients from '#lib/clients/client.ts';
import { NAME_PRICE_TYPE } from '#lib/clients/terms.ts';
import { versionCondition } from '#lib/records/precondition.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { put, remove } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { transact, writeAlone } from '#lib/table/transaction/transact.ts';
import { productList } from '#lib/trade/document/fields.ts';
import {
  checkPriceType,
  isPriceTypeKnown,
  presentPriceType,
  priceTypesFor,
  readTypesFor,
} from '#lib/trade/pricing/price-type.ts';
import { DraftNumber, SaleInput } from '#lib/trade/sale/input.ts';
import { notFound } from '#lib/values/api-error.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { amount, type MinorUnits } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { draftKey, SaleDraft } from './record.ts';

/** Path parameters: desk and number of a draft. */
export const DraftParams = z.object({ cashbox: Id, number: DraftNumber });

type DraftRef = z.output<typeof DraftParams>;

/** Content of a sale draft: a sale before payment. Contract 7, "Cheque draft". */
export const DraftInput = z.object({
  stock_id: Id,
  client_id: orNull(Id),
  price_type_id: SaleInput.shape.price_type_id,
  products: productList(
    z.object({
      product_id: Id,
      quantity: quantity(8),
      price: orNull(amount(0.01)),
      discount: amount(0).default(0),
    }),
    100,
  ).default([]),
  bundles: SaleInput.shape.bundles,
  services: SaleInput.shape.services,
  discount: SaleInput.shape.discount,
});

type DraftInput = z.output<typeof DraftInput>;

/** Reads a draft; an empty one if never saved. 404 for a desk not open to the caller. */
export async function get(actor: Staff, { cashbox, number }: DraftRef) {
  const desk = await openDesk(actor, cashbox);
  const item = await getItem(draftKey(actor.tenant, desk, number));
  if (item) return parseStored(SaleDraft, item);
  const places = { cashbox_id: cashbox, number, stock_id: null, client_id: null, price_type_id: null };
  return { ...places, products: [], bundles: [], services: [], discount: null, updated_at: null, version: 0 };
}

/**
 * Replaces a draft. 412 if it has changed since the caller read it, 422 on any reference that does not exist
 * or is not open to the caller.
 */
export async function save(
  actor: Staff,
  { cashbox, number }: DraftRef,
  input: DraftInput,
  at: Instant,
): Promise<SaleDraft> {
  const { tenant } = actor;
  const [desk, issues] = await Promise.all([openDesk(actor, cashbox), issuesOf(actor, input)]);
  issues.throwIfAny();
  const draft: SaleDraft = {
    ...input,
    cashbox_id: cashbox,
    number,
    bundles: input.bundles.map(withPrice),
    services: input.services.map(withPrice),
    updated_at: at,
  };
  // Drafts are replaced without a read: their version is the time of the change.
  const guard = versionCondition();
  const write = put(draftKey(tenant, desk, number), { ...draft, version: at }, guard);
  if (guard) await transact([write]);
  else await writeAlone(write, any([absent('version'), lessThan('version', at)]));
  return draft;
}

function withPrice<L extends { readonly price?: MinorUnits | undefined }>(line: L) {
  return { ...line, price: line.price ?? null };
}

/** Clears a draft; no error if it is empty. */
export async function clear(actor: Staff, { cashbox, number }: DraftRef): Promise<void> {
  const desk = await openDesk(actor, cashbox);
  await transact([remove(draftKey(actor.tenant, desk, number), versionCondition())]);
}

async function openDesk(actor: Staff, id: number) {
  const desk = desks.ifVisible(actor, await getItem(desks.keyOf(actor, id)));
  if (!desk) throw notFound();
  return desk;
}

/** Reports references of a draft that do not exist or are not open to the caller. One round trip. */
async function issuesOf(actor: Staff, input: DraftInput): Promise<ValidationIssues> {
  const issues = new ValidationIssues();
  const { tenant } = actor;
  const { price_type_id: named } = input;
  const [[warehouse, clientItem], types, cards, offers, sold] = await Promise.all([
    getItems([
      warehouses.keyOf(actor, input.stock_id),
      keyIfAny(input.client_id, (id) => clients.keyOf(actor, id)),
    ]),
    readTypesFor(tenant, { price_type_id: named }),
    getItems(input.products.map(({ product_id }) => recordKey(products.type, tenant, product_id))),
    getItems(input.bundles.map(({ bundle_id }) => recordKey(bundles.type, tenant, bundle_id))),
    getItems(input.services.map(({ service_id }) => recordKey(services.type, tenant, service_id))),
  ]);
  const client = clients.ifVisible(actor, clientItem);
  const priceTypes = priceTypesFor(named, client, types);
  const isClientFound = input.client_id === null || client !== undefined;
  const paths = [
    ...(warehouses.ifVisible(actor, warehouse) ? [] : ['stock_id']),
    ...(isClientFound ? [] : ['client_id']),
    ...(isPriceTypeKnown(priceTypes) ? [] : ['price_type_id']),
    ...missingOf(cards).map((index) => `products.${index}.product_id`),
    ...missingOf(offers).map((index) => `bundles.${index}.bundle_id`),
    ...missingOf(sold).map((index) => `services.${index}.service_id`),
  ];
  for (const path of paths) issues.add(path, 'validation.not_found');
  const terms = {
    priceType: presentPriceType(priceTypes),
    canNamePriceType: hasRight(actor, NAME_PRICE_TYPE),
  };
  checkPriceType(terms, issues);
  return issues;
}

/** Returns the positions of records that do not exist or are deleted. */
function missingOf(items: readonly (Item | undefined)[]): number[] {
  return items.flatMap((item, index) => (isPresent(item) ? [] : [index]));
}
