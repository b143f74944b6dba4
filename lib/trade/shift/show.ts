import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import { shiftSettingsOf } from '#lib/cash/desk/read.ts';
import { countWaiting } from '#lib/cash/desk/waiting.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { ShiftSettings } from '#lib/people/company/shift-settings.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/colleague.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import { type Embed, embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { Contention, retryOnContention } from '#lib/table/transaction/transact.ts';
import { ownerIn } from '#lib/table/transaction/unique-constraints.ts';
import { notFound } from '#lib/values/api-error.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { listExpectedCash } from './cash-count.ts';
import { CashboxShift, currentKey, type StoredShift, shifts } from './record.ts';
import { type ShiftSummary, summaryOf } from './summary.ts';

/** Language and time of a response. */
export interface AnswerContext {
  readonly locale: Locale;
  readonly at: Instant;
}

/** Embeds in every response about shifts. Part 3, "Cash shift". */
const PARTIES = [companyEmbed, creatorEmbed];

const Parties = z.object({ company: CompanySummary.nullish(), creator: Colleague.nullish() });

/**
 * Reads the company and the cashier of a shift for its response, and the number of its desk's refused sales.
 * One round trip.
 */
export async function readParties(
  tenant: Tenant,
  { creator_id, company_id, cashbox_id }: Pick<StoredShift, 'creator_id' | 'company_id' | 'cashbox_id'>,
) {
  const [[whole], [refused_sales = 0]] = await Promise.all([
    embed([{ creator_id, company_id }], PARTIES),
    countWaiting(tenant, [cashbox_id]),
  ]);
  const { company, creator } = parseStored(Parties, whole);
  return { company, creator, refused_sales };
}

/**
 * Returns published shifts, open ones with their present sums, as if the expected money had been counted.
 * `Contention` if one is closed concurrently. One round trip.
 */
async function showShifts<S extends StoredShift>(
  tenant: Tenant,
  shifts: readonly S[],
  context: AnswerContext,
): Promise<(S & CashboxShift)[]> {
  const open = shifts.filter(({ summary }) => summary === null);
  const [items, refused] = await Promise.all([
    getItems(open.map(({ cashbox_id }) => deskMoneyKey(tenant, cashbox_id))),
    countWaiting(
      tenant,
      shifts.map(({ cashbox_id }) => cashbox_id),
    ),
  ]);
  const running = new Map(items.map((item) => DeskMoney.parse(item).shift).map((each) => [each?.id, each]));
  return shifts.map((shift, index) => ({
    ...showShift(shift, shift.summary ?? runningSummary(shift, running.get(shift.id)), context),
    refused_sales: refused[index] ?? 0,
  }));
}

/** Returns a published shift with a summary. */
export function showShift<S extends StoredShift>(
  shift: S,
  summary: ShiftSummary,
  { locale, at }: AnswerContext,
): S & Omit<CashboxShift, 'refused_sales'> {
  const { closes_at, closed_at } = shift;
  return {
    ...shift,
    closes_in: closes_at === null ? null : Math.floor((closes_at - (closed_at ?? at)) / 1000),
    summary: {
      ...summary,
      rows: summary.rows.map((row) => {
        const payment_type_name = translateLabel(locale, { key: `payment_type.${row.payment_type}` });
        return { ...row, payment_type_name };
      }),
    },
  };
}

/** Summarizes an open shift. `Contention` if it is no longer open. */
export function runningSummary(
  { opening_currency }: Pick<StoredShift, 'opening_currency'>,
  running: OpenShift | null | undefined,
): ShiftSummary {
  if (!running) throw new Contention();
  return summaryOf(running, opening_currency, listExpectedCash(running, opening_currency));
}

/** Open shift of the caller, and the settings of their company. Part 3, "Cash shifts". */
export const CurrentShift = z.object({ data: CashboxShift.nullable(), settings: ShiftSettings });

/** Lists the shifts within the caller's reach. */
export function list(actor: Staff, query: ListQuery, context: AnswerContext) {
  return retryOnContention(async () => {
    const page = await listDocuments(shifts, actor, { ...query, embeds: [...PARTIES, ...query.embeds] });
    return { ...page, rows: await showShifts(actor.tenant, page.rows, context) };
  });
}

/** Reads a shift. 404 if it is out of the caller's reach. Contract 9.46. */
export function get(
  actor: Staff,
  id: number,
  embeds: readonly Embed[],
  context: AnswerContext,
): Promise<CashboxShift> {
  return retryOnContention(async () => {
    const shift = await getDocument(shifts, actor, id, [...PARTIES, ...embeds]);
    const [shown] = await showShifts(actor.tenant, [shift], context);
    if (!shown) throw notFound();
    return shown;
  });
}

/** Reads the caller's open shift; null if there is none. */
export async function current(actor: Staff, context: AnswerContext): Promise<z.input<typeof CurrentShift>> {
  const [claim, settings] = await Promise.all([getItem(currentKey(actor)), shiftSettingsOf(actor.companyId)]);
  const id = ownerIn(claim);
  return { data: id === undefined ? null : await get(actor, id, [], context), settings };
}
