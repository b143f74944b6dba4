import * as z from 'zod';
import type { Administrator, Staff } from '#lib/auth/actor.ts';
import { dayPeriod, exact, MAX_PAGE_SIZE, platformFilters } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { SheetCall } from '#lib/records/sheet/column.ts';
import { rowSheet } from '#lib/records/sheet/sheet.ts';
import { parseStored } from '#lib/records/stored.ts';
import { familyTenant, type Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import type { Page } from '#lib/table/read/request.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { type Charged, charge } from './charge.ts';
import { ChargeLine, EntryType, TARIFF_ENTRY, TariffEntry } from './entry.ts';
import { chargeFor, type TariffParams } from './tariff.ts';

/** Entry of a tariff's statement. Part 5, 5A.11. */
export const StatementEntry = TariffEntry.extend({
  lines: z.array(ChargeLine.extend({ name: z.string() })),
  created_at: Timestamp,
});

/** Query string of a statement: the newest entries first. */
export const StatementList = documentQuery(
  { ...platformFilters, type: exact('type', EntryType), day: dayPeriod('day') },
  { sorts: ['id'], pageSize: MAX_PAGE_SIZE },
);

type Statement = Promise<Page<z.input<typeof StatementEntry>>>;

/**
 * Lists all changes of the balance of the caller's tariff, after all due charges: their sum is the balance.
 * Empty without a tariff. The platform's staff is not named.
 */
export async function listOwn({ familyId }: Staff, query: ListQuery, at: Instant): Statement {
  const page = await list(familyId, await charge(familyId, at), query);
  return { ...page, rows: page.rows.map((row) => ({ ...row, creator_id: null })) };
}

/** Lists the same of a company; of a branch, its main company's. 404 without a tariff. */
export async function listOfCompany(
  actor: Administrator,
  { company }: z.output<typeof TariffParams>,
  query: ListQuery,
  at: Instant,
): Statement {
  const charged = await chargeFor(actor, company, at);
  return list(charged.tariff.id, charged, query);
}

async function list(familyId: number, charged: Charged | undefined, query: ListQuery): Statement {
  const page = await listItems(entriesOf(familyId), query);
  const names = namesIn(charged);
  const rows = page.rows.map((item) => {
    const entry = parseStored(TariffEntry, item);
    const lines = entry.lines.map((line) => ({ ...line, name: names.get(line.company_id) ?? '' }));
    return { ...entry, lines };
  });
  return { ...page, rows };
}

function entriesOf(familyId: number): Source {
  return { type: TARIFF_ENTRY, tenant: familyTenant(familyId) };
}

function namesIn(charged: Charged | undefined): ReadonlyMap<number, string> {
  const { main, branches = [] } = charged?.subscribers ?? {};
  return new Map([main ?? [], branches].flat().map(({ id, name }) => [id, name]));
}

const sheet = rowSheet(StatementEntry, 'sheet.statement', ({ column, columnUnder }) => [
  column('id', 'number'),
  column('day', 'text'),
  column('type', 'text', (type) => ({ key: `tariff_entry.type.${type}` })),
  column('amount', 'money'),
  column('balance', 'money'),
  columnUnder('column.period_from', 'period', 'text', (period) => period?.from),
  columnUnder('column.period_to', 'period', 'text', (period) => period?.to),
  column('external_id', 'text'),
  column('comment', 'text'),
  column('created_at', 'moment'),
]);

/** Workbook of the caller's statement. */
export const ownSheet = {
  async give(call: SheetCall & { readonly actor: Staff }) {
    const { familyId } = call.actor;
    await charge(familyId, call.at);
    return sheet.give(entriesOf(familyId), call.query.where, call);
  },
};

/** Workbook of a company's statement. 404 without a tariff. */
export const companySheet = {
  async give(
    call: SheetCall & { readonly actor: Administrator; readonly params: z.output<typeof TariffParams> },
  ) {
    const { tariff } = await chargeFor(call.actor, call.params.company, call.at);
    return sheet.give(entriesOf(tariff.id), call.query.where, call);
  },
};
