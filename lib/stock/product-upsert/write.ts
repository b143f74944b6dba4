import { isDeepStrictEqual } from 'node:util';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { barcodesOf, checkOwnBarcodes, type Pack, packOf } from '#lib/catalog/barcodes.ts';
import { products } from '#lib/catalog/card.ts';
import { fiscalOf } from '#lib/catalog/fiscal-fields.ts';
import { recordPriceCause } from '#lib/catalog/price.ts';
import type { BoundedChange } from '#lib/catalog/product/floors.ts';
import { newProduct } from '#lib/catalog/product/product.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import { removeProduct } from '#lib/stock/product-removal.ts';
import type { Write } from '#lib/table/change/write.ts';
import { Contention } from '#lib/table/journal/contention.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ApiError, invalid } from '#lib/values/api-error.ts';
import { barcodeToCompare } from '#lib/values/code.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { readCard } from './card.ts';
import { type RowTarget, resolveRow, type SyncRow } from './row.ts';
import { lookUpRow, type RowLookup } from './row-lookup.ts';

const DESTROY = 'company.product.product.destroy';
const RESTORE = 'company.product.product.restore';

/** Outcome of a row. */
export interface RowOutcome {
  readonly outcome: 'made' | 'changed' | 'same' | 'deleted';
  /** Id of the product; undefined if it never existed. */
  readonly id: number | undefined;
}

/**
 * Upserts one product in one transaction: concurrent calls, and a retry of an interrupted one, create it
 * once. Nothing is written if it is unchanged. 400 if stock prevents the deletion, 422 with all failing
 * fields.
 */
export async function upsertRow(actor: Staff, row: SyncRow, at: Instant): Promise<RowOutcome> {
  const target = resolveRow(row);
  if (target.is_deleted) return syncDeletion(actor, row, target, at);
  return retryOnContention(async () => {
    const lookup = await lookUpRow(actor, row, target);
    const { outcome, id, writes } = await (lookup.before ? planUpdate : planCreation)(actor, row, lookup, at);
    if (writes.length > 0) await transact(writes).catch(retryIfTaken);
    return { outcome, id };
  });
}

/**
 * Deletes a row's product; `same` if it is already deleted or never existed. 422 on `is_deleted` without the
 * right to delete products.
 */
async function syncDeletion(actor: Staff, row: SyncRow, target: RowTarget, at: Instant): Promise<RowOutcome> {
  const { before } = await lookUpRow(actor, row, target);
  if (!before || before.is_deleted) return { outcome: 'same', id: before?.id };
  const { id } = before;
  if (!hasRight(actor, DESTROY))
    throw invalid({ is_deleted: { key: 'auth.forbidden', with: { right: DESTROY } } });
  try {
    await removeProduct(actor, id, at, { external_id: row.external_id });
    return { outcome: 'deleted', id };
  } catch (error) {
    // A concurrent call has deleted it.
    if (error instanceof ApiError && error.status === 404) return { outcome: 'same', id };
    throw error;
  }
}

interface UpsertPlan extends RowOutcome {
  readonly writes: readonly Write[];
}

async function planCreation(actor: Staff, row: SyncRow, lookup: RowLookup, at: Instant): Promise<UpsertPlan> {
  const card = readCard(row, lookup);
  requireBarcode(lookup, undefined);
  requireOwnBarcodes(row, card);
  const id = await nextId(products.type, actor.tenant);
  await requireFloors(actor, { before: undefined, after: { ...card, id } });
  const writes = insertion(products, actor.tenant, newProduct(actor, id, card, { cause: 'sync', at }));
  return { outcome: 'made', id, writes };
}

async function planUpdate(actor: Staff, row: SyncRow, lookup: RowLookup, at: Instant): Promise<UpsertPlan> {
  const { before } = lookup;
  if (!before) throw new Error('There is nothing to change');
  const issues = new ValidationIssues();
  if (before.is_deleted && !hasRight(actor, RESTORE))
    issues.add('is_deleted', { key: 'auth.forbidden', with: { right: RESTORE } });
  const card = readCard(row, lookup, issues);
  const { id } = before;
  requireBarcode(lookup, id);
  requireOther(row, card.parent_id, id);
  const after = { ...before, ...card, barcode: barcodeToKeep(before, card), is_deleted: false };
  requireOwnBarcodes(row, after);
  // Cards stored before some fields lack them.
  const known = { ...fiscalOf(before), ...barcodesOf(before), prices: [], ...before };
  if (isDeepStrictEqual(after, known)) return { outcome: 'same', id, writes: [] };
  await requireFloors(actor, { before, after });
  const repricing = await singleRepricing(actor, actor.companyId, [{ before, after }], at);
  const changed = recordPriceCause(before, { ...after, updated_at: at }, { cause: 'sync', by: actor, at });
  const writes = [...replacement(products, actor.tenant, before, changed), ...repricing];
  return { outcome: 'changed', id, writes };
}

interface Barcoded {
  readonly barcode: string;
  readonly barcodes?: readonly Pack[] | undefined;
}

/**
 * Returns the product's own `barcode` if the row's equals it, or is one of its further ones, by which the row
 * may name it. Contract 9.127; Part 5, 5A.12, 1.
 */
function barcodeToKeep(before: Barcoded, card: Barcoded): string {
  const isSame = barcodeToCompare(card.barcode) === barcodeToCompare(before.barcode);
  const isFurther = packOf(before, card.barcode) !== undefined && packOf(card, card.barcode) !== undefined;
  return isSame || isFurther ? before.barcode : card.barcode;
}

/** Requires a price at the product's floor or above. 422 as in `checkFloors`. */
async function requireFloors(actor: Staff, change: BoundedChange): Promise<void> {
  const issues = new ValidationIssues();
  await checkFloors(actor, [change], issues);
  issues.throwIfAny();
}

/** Requires that the barcodes of a product differ. 422 otherwise. */
function requireOwnBarcodes(row: SyncRow, card: Barcoded): void {
  const issues = new ValidationIssues();
  checkOwnBarcodes(card, row['barcodes'] !== undefined, issues);
  issues.throwIfAny();
}

/** Requires that no other product has the row's barcode. 422 otherwise. */
function requireBarcode({ barcodeOwner }: RowLookup, id: number | undefined): void {
  if (barcodeOwner !== undefined && barcodeOwner !== id) throw invalid({ barcode: 'validation.taken' });
}

/** Requires that a product does not reference itself as its main card. 422 on the name otherwise. */
function requireOther(row: SyncRow, parentId: number | null, id: number): void {
  const isNamed = row['parent_id'] === undefined;
  if (isNamed && parentId === id) throw invalid({ parent_external_id: 'validation.not_found' });
}

/** Retries the lookup if a concurrent call has taken the row's external id or barcode. */
function retryIfTaken(error: unknown): never {
  const { fields = {} } = error instanceof ApiError ? error : {};
  const isTaken = (path: string) => fields[path]?.key === 'validation.taken';
  throw isTaken('external_id') || isTaken('barcode') ? new Contention() : error;
}
