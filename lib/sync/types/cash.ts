import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { Collection, collections } from '#lib/cash/collection/record.ts';
import { CompanyRates, CurrencyRate, companyRates, rowsOf } from '#lib/cash/company-rates.ts';
import { byPaymentType, Desk, desks } from '#lib/cash/desk/desk.ts';
import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { deskPostings, Posting } from '#lib/cash/posting/record.ts';
import { Reason, reasons } from '#lib/cash/reason.ts';
import { companies } from '#lib/people/company/record.ts';
import { parseRecord } from '#lib/records/stored.ts';
import {
  defineSync,
  EMBEDDED,
  type Noun,
  type RecordHeader,
  type RequestedRecord,
  type SyncDefinitions,
} from '#lib/sync/definition/definition.ts';
import { defineSyncWithBalances } from '#lib/sync/definition/with-balances.ts';
import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { RowsAfter, RowsRequest } from '#lib/table/list/rows-after.ts';
import { getItems } from '#lib/table/read/get.ts';
import { idOf } from '#lib/table/read/ranges.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

const CopiedDesk = Desk.omit(EMBEDDED).required({ balances: true });
const CopiedCollection = Collection.omit({ ...EMBEDDED, cashbox: true, transactions_data: true });
const CopiedPosting = Posting.omit({ ...EMBEDDED, cashbox: true, source: true });

const reachableDesks: Noun = {
  ...desks,
  reach: (actor) => withinReachOf(actor, actor.cashDesks),
};

/** Sync of desks and their money. */
export const cashSync = {
  'cashbox.cashbox': () =>
    defineSyncWithBalances(reachableDesks, CopiedDesk, DESK_MONEY, () => (sums) => ({
      balances: byPaymentType(sums),
    })),
  'cashbox.reason': () => defineSync(reasons, Reason.omit(EMBEDDED)),
  'cashbox.currency-rate': () =>
    defineSync(companyRates, CurrencyRate, {
      reach: ({ companies: open }: Staff) => among('company_id', open),
      find: findRates,
      walk: walkRates,
    }),
  'cashbox.operation.collection': () => defineSync(collections, CopiedCollection),
  'cashbox.transfer': () => defineSync(deskPostings, CopiedPosting),
} satisfies SyncDefinitions;

/** Scans the rates of all companies, of which there are few. One round trip. */
async function walkRates(tenant: Tenant, { where, after, max }: RowsRequest): Promise<RowsAfter> {
  const [sets = [], owners = []] = await Promise.all(
    [companyRates, companies].map(({ type }) => wholePartition(partition(type, tenant))),
  );
  const ownerOf = new Map(owners.map((owner) => [idOf(owner), owner]));
  const rates = sets.flatMap((set) => ratesIn(set, ownerOf.get(idOf(set))));
  const condition = all(where);
  const left = rates.filter((rate) => !rate['is_deleted'] && rate.id > after && condition.matches(rate));
  const rows = left.sort((a, b) => a.id - b.id).slice(0, max);
  return { rows, reached: left.length > max ? rows.at(-1)?.id : undefined, likely: max };
}

/**
 * Finds rates by company: a company's rates are one item. A negative id is an index among them. One round
 * trip.
 */
async function findRates(
  tenant: Tenant,
  requested: readonly RequestedRecord[],
): Promise<(RecordHeader | undefined)[]> {
  const ids = [...new Set(requested.map(({ companyId }) => companyId ?? 0))];
  const rates = await readRates(tenant, ids);
  return requested.map(({ id, companyId }) => {
    const own = rates.filter((rate) => rate['company_id'] === companyId);
    return id < 0 ? own[-1 - id] : own.find((rate) => rate.id === id);
  });
}

/** Reads the rates of companies. One round trip. */
async function readRates(tenant: Tenant, companyIds: readonly number[]): Promise<RecordHeader[]> {
  const [sets, owners] = await Promise.all(
    [companyRates, companies].map(({ type }) =>
      getItems(companyIds.map((id) => recordKey(type, tenant, id))),
    ),
  );
  return companyIds.flatMap((_, index) => ratesIn(sets?.[index], owners?.[index]));
}

/** Lists the rates of a company's item, each with the company's deletion flag. */
function ratesIn(item: Item | undefined, owner: Item | undefined): RecordHeader[] {
  if (!item || !owner) return [];
  const set = parseRecord(CompanyRates, item);
  const { version, is_deleted } = parseRecord(companies.schema, owner);
  return rowsOf(set).map((rate) => ({ ...rate, version: set.version + version, is_deleted }));
}
