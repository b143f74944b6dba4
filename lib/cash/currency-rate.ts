import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { CompanySummary, keyOfCompany } from '#lib/people/company/known.ts';
import { requireVersion } from '#lib/records/precondition.ts';
import { reference } from '#lib/records/query/embeds.ts';
import { exact } from '#lib/records/query/filters.ts';
import { type ListQuery, plainQuery, wholeList } from '#lib/records/query/list-query.ts';
import { getRecord, listRecords } from '#lib/records/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import type { Stored } from '#lib/records/stored.ts';
import { type Page, pageSlice } from '#lib/table/read/request.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid, notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { correctionInput } from '#lib/values/value-history.ts';
import { CompanyRates, CurrencyRate, companyRates, rateWrites, rowsOf } from './company-rates.ts';

/** List row of a rate. */
export const ListedRate = CurrencyRate.extend({ company: CompanySummary.nullish() });

/** All rates of a company. */
export const RateRows = z.array(CurrencyRate);

/** Rates and sale currency of a company. Part 3, "Currency rates". */
export const RateSettings = z.object({
  rows: RateRows,
  sale_currency: Currency,
  last_updated_at: Timestamp.nullable(),
});

/** Input to change a rate. */
export const RateInput = z.object({ rate: amount(0), ...correctionInput });

/** Input to change the sale currency. */
export const SaleCurrencyInput = z.object({ sale_currency: Currency });

const ItsCompany = CompanySummary.extend({ is_deleted: z.boolean() });

const listedRates = { ...companyRates, schema: CompanyRates.extend({ company: ItsCompany.nullish() }) };

const company = reference('company', ({ id }) => keyOfCompany(id));

/** Query string of the list. Rows are grouped by company; a company's set of rates has the company's id. */
export const RateList = plainQuery(
  { company_id: exact('id', Id) },
  {
    sorts: ['company_id'],
    embeds: { company },
  },
);

/** Lists the rates of the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery): Promise<Page<z.input<typeof ListedRate>>> {
  const { page, pageSize, sort } = query;
  const sets = await setsOf(actor, {
    where: [...query.where, ...among('id', actor.companies)],
    sort: { field: 'id', descending: sort.descending },
  });
  const isEmbedded = query.embeds.length > 0;
  const all = sets.flatMap((set) =>
    rowsOf(set).map((row) => ({ ...row, ...(isEmbedded && { company: set.company }) })),
  );
  return { rows: pageSlice(all, query), total: all.length, page, pageSize };
}

/** Reads the rates of the company that owns the rate with this id. 404 if it is not open to the caller. */
export async function get(actor: Staff, id: number) {
  return settingsOf((await find(actor, id)).set);
}

/** Reads the rates of the main company, for comparison with a branch's. */
export async function mainRates(actor: Staff) {
  return rowsOf(await getRecord({ type: companyRates, tenant: actor.tenant, id: actor.familyId }));
}

/** Reads the rates and the sale currency of the caller's company. */
export async function settings(actor: Staff) {
  return settingsOf(await getRecord({ type: companyRates, tenant: actor.tenant, id: actor.companyId }));
}

/**
 * Changes a rate and adds the old one to the history. 422 on `rate` for sums, and for a sale currency at
 * zero.
 */
export async function change(
  actor: Staff,
  id: number,
  { rate, is_correction: isCorrection }: z.output<typeof RateInput>,
  at: Instant,
) {
  await retryOnContention(async () => {
    const { set, currency } = await find(actor, id);
    requireVersion(set);
    if (currency === 'uzs') throw invalid({ rate: 'rate.uzs_fixed' });
    if (currency === set.sale_currency && rate === 0) throw invalid({ rate: 'rate.sale_currency_zero' });
    await transact(await rateWrites(actor, set, { [currency]: rate }, { at, isCorrection }));
  });
}

/** Changes the sale currency of the caller's company. 422 on one without a rate. */
export async function changeSaleCurrency(
  actor: Staff,
  { sale_currency }: z.output<typeof SaleCurrencyInput>,
  at: Instant,
) {
  await editRecord({ type: companyRates, tenant: actor.tenant, id: actor.companyId }, at, (before) => {
    if (before.rates[sale_currency].rate === 0) {
      throw invalid({ sale_currency: { key: 'rate.missing', with: { currency: sale_currency } } });
    }
    return { ...before, sale_currency };
  });
}

/** Reads the rates of companies that are not deleted, each with its company. */
async function setsOf(actor: Staff, { where, sort }: Pick<ListQuery, 'where' | 'sort'>) {
  const whole = { ...wholeList(where), sort, embeds: [company] };
  const { rows } = await listRecords(listedRates, actor.tenant, whole);
  return rows.filter((set) => !set.company?.is_deleted);
}

/** Reads the rates of the companies open to the caller, by id. */
export function ratesInReach(actor: Staff) {
  const sort = { field: 'id', descending: false };
  return setsOf(actor, { sort, where: among('id', actor.companies) });
}

async function find(actor: Staff, id: number) {
  const sets = await ratesInReach(actor);
  for (const set of sets) {
    const row = rowsOf(set).find((each) => each.id === id);
    if (row) return { set, currency: row.currency };
  }
  throw notFound();
}

function settingsOf(set: Stored<typeof CompanyRates>) {
  const { sale_currency, last_updated_at, version } = set;
  return { rows: rowsOf(set), sale_currency, last_updated_at, version };
}
