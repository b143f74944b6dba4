import { blockTimeOf, tariffKey } from '#lib/auth/workplace.ts';
import { keyOfRates } from '#lib/cash/company-rates.ts';
import {
  type Repricing,
  RepricingLine,
  repricings,
  SKIPPED_ROW,
  type SkippedRow,
} from '#lib/catalog/repricing/record.ts';
import { repricingLine } from '#lib/catalog/repricing/write.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { type Due, dueEndWrite, readDue, tenantOf } from '#lib/records/due.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import { isPresent, parseRecord, type Stored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { PLATFORM, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { workOnAll } from '#lib/values/concurrency.ts';
import type { Label } from '#lib/values/labels/label.ts';
import type { Instant } from '#lib/values/time.ts';
import type { RepricingInput } from './input.ts';
import { PLANNED_ROW, PlannedRow, REPRICING_DUE } from './plan.ts';
import { cardWrites, costsOf, markupSummaryOf } from './reprice.ts';
import { repricingRef } from './repricing.ts';
import { readRows } from './rows.ts';
import { splitRows } from './split.ts';

type Planned = Stored<typeof repricings.schema>;

/** Reasons why a row is skipped, by the field on which planning would refuse it. */
const REFUSALS: Readonly<Partial<Record<string, SkippedRow['reason']>>> = {
  sale_currency: 'price_without_rate',
  price_type_id: 'price_type_not_found',
};

/** Batches that are made at once. */
const PARALLEL = 4;

/** Longer than a transaction: a batch that is missing since has been erased with its family. */
const LONG_MS = 600_000;

/**
 * Makes all planned batches whose time has come. One that fails does not hinder the others: the errors are
 * thrown at the end, and the next run tries again. Part 5, 5A.14, 3.
 */
export async function startRepricings(at: Instant): Promise<void> {
  await workOnAll(readDue(REPRICING_DUE, at), PARALLEL, (due) => start(due, at));
}

/** Makes a planned batch in its creator's name, once, in one transaction that ends its plan. */
function start(due: Due, at: Instant): Promise<void> {
  const tenant = tenantOf(due);
  return retryOnContention(async () => {
    const item = await getItem(recordKey(repricings.type, tenant, due.id));
    if (!item && due.at > at - LONG_MS) throw new NotYet();
    const planned = item && parseRecord(repricings.schema, item);
    if (planned?.status !== 'planned') return transact([dueEndWrite(REPRICING_DUE, due)]);
    const { creator_id, impersonator_id } = planned;
    const ended = await runInContext({ changer: { creator_id, impersonator_id } }, () =>
      endOf(tenant, planned, { due, at }),
    );
    return transact([
      ...ended,
      ...lineWrites({ ...repricingRef(tenant, planned.id), type: PLANNED_ROW }, [], planned.products_count),
      dueEndWrite(REPRICING_DUE, due),
    ]);
  });
}

/** Builds the writes of a batch as made, or as failed. */
async function endOf(
  tenant: Tenant,
  planned: Planned,
  { due, at }: { readonly due: Due; readonly at: Instant },
): Promise<Write[]> {
  const { id, company_id, products_count } = planned;
  const place = repricingRef(tenant, id);
  const [lines, sent, isTrading, notice] = await Promise.all([
    readLines(RepricingLine, place, products_count),
    readLines(PlannedRow, { ...place, type: PLANNED_ROW }, products_count),
    mayTrade(due.familyId, company_id, at),
    nextId(NOTIFICATION, PLATFORM),
  ]);
  const tell = (label: Label) => {
    const about = { kind: 'repricing', record_id: id } as const;
    return announcement({ id: notice, label, created_at: at, ...about }, [planned.creator_id]);
  };
  const failed = tell({ key: 'notification.repricing_failed', with: { id } });
  if (!isTrading) {
    return [...documentReplacement(repricings, tenant, planned, { ...planned, status: 'failed' }), ...failed];
  }
  const parts = await splitNow(tenant, inputOf(planned, lines, sent), at);
  const { passed, skipped, writes } = parts;
  const counts = { products_count: passed.length, skipped_count: skipped.length };
  const status = passed.length > 0 ? 'completed' : 'failed';
  const after = { ...planned, ...counts, status, markup_summary: markupSummaryOf(passed) } as const;
  const occasion = { cause: 'repricing', documentId: id, by: { id: planned.creator_id }, at } as const;
  const [first] = lines;
  const made = passed.map(({ row, ...change }, index) =>
    repricingLine(planned, (first?.id ?? 0) + index, change, row),
  );
  return [
    ...documentReplacement(repricings, tenant, planned, after),
    ...lineWrites(place, made, products_count),
    ...lineWrites({ ...place, type: SKIPPED_ROW }, skipped),
    ...cardWrites(tenant, passed, occasion),
    ...writes,
    ...(passed.length === 0 ? failed : []),
    ...(passed.length > 0 && skipped.length > 0
      ? tell({ key: 'notification.repricing_skipped', with: { id, count: skipped.length } })
      : []),
  ];
}

/** Returns whether a company and its family may trade: neither deleted nor blocked for debt. */
async function mayTrade(familyId: number, companyId: number, at: Instant): Promise<boolean> {
  const [company, main, tariff] = await getItems([
    recordKey('company', PLATFORM, companyId),
    recordKey('company', PLATFORM, familyId),
    tariffKey(familyId),
  ]);
  const blockAt = blockTimeOf(tariff);
  return isPresent(company) && isPresent(main) && (blockAt === undefined || blockAt > at);
}

/** Returns the batch as sent, with the products that its rows had when it was planned. */
function inputOf(
  { company_id, rounding_type }: Repricing,
  lines: readonly RepricingLine[],
  sent: RepricingInput['products'],
): RepricingInput {
  const named = sent.map((row, index) => {
    return { ...row, product_id: lines[index]?.product_id ?? 0, barcode: null, external_id: null };
  });
  return { company_id, rounding_type, currency_rate: null, starts_at: null, products: named };
}

/** Splits the rows as of now: those that planning would refuse by now are skipped, too. */
async function splitNow(tenant: Tenant, input: RepricingInput, at: Instant) {
  const refused = await findRefusals(tenant, input, at);
  const left = input.products.filter((_, index) => !refused.has(index));
  const skippedFirst = [...refused].map(([index, reason]) => {
    const { product_id, price_type_id = null } = input.products[index] ?? {};
    return { product_id: product_id ?? 0, price_type_id, reason, cost: null, cost_currency: null };
  });
  if (left.length === 0) return { passed: [], skipped: skippedFirst, writes: [] };
  const family = { tenant, companies: 'all' } as const;
  const [inDrafts, { rows, held, terms }] = await Promise.all([
    productsInDrafts(family, input.company_id),
    readRows(family, { ...input, products: left }, at),
  ]);
  const costs = await costsOf(tenant, rows);
  const { passed, skipped } = splitRows(rows, { inDrafts, costs }, terms);
  const sameRates = check(keyOfRates(tenant, held.id), { if: equals('version', held.version) });
  return { passed, skipped: [...skippedFirst, ...skipped], writes: [sameRates] };
}

/**
 * Finds the rows that planning would refuse by now: of a deleted product or price type, or in a currency
 * without rate.
 */
async function findRefusals(
  tenant: Tenant,
  input: RepricingInput,
  at: Instant,
): Promise<Map<number, SkippedRow['reason']>> {
  const paths = await readRows({ tenant, companies: 'all' }, input, at).then(() => [], pathsOf);
  return new Map(
    paths.flatMap((path) => {
      const [, index = '', field] = /^products\.(\d+)\.(\w+)$/.exec(path) ?? [];
      if (field === undefined) return [];
      return [[Number(index), REFUSALS[field] ?? 'product_not_found'] as const];
    }),
  );
}

/** Returns the fields of a refusal; throws any other error. */
function pathsOf(error: unknown): string[] {
  if (error instanceof ApiError && error.status === 422) return Object.keys(error.fields);
  throw error;
}
