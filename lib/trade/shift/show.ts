import * as z from 'zod';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import { companyEmbed, KnownCompany } from '#lib/people/company/record.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/user.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { vouch } from '#lib/records/stored.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { label } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { listExpected } from './expected.ts';
import type { CashboxShift, StoredShift } from './record.ts';
import { type ShiftSummary, summaryOf } from './summary.ts';

/** The language of an answer, and its time. */
export interface Told {
  readonly locale: Locale;
  readonly at: Instant;
}

/** The embeds of every answer about shifts. Part 3, "Cash shift". */
export const PARTIES = [companyEmbed, creatorEmbed];

const Parties = z.object({ company: KnownCompany.nullish(), creator: Colleague.nullish() });

/** Reads the company and the cashier of a shift for its answer. One round trip. */
export async function readParties(shift: Pick<StoredShift, 'creator_id' | 'company_id'>) {
  const { creator_id, company_id } = shift;
  const [whole] = await embed([{ creator_id, company_id }], PARTIES);
  const { company, creator } = vouch(Parties, whole);
  return { company, creator };
}

/**
 * Shows shifts, open ones with the sums of this moment, as if all that should be in the desk was counted.
 * `Contention` if one is closed meanwhile. One round trip if any is open.
 */
export async function showShifts<S extends StoredShift>(
  home: Home,
  shifts: readonly S[],
  told: Told,
): Promise<(S & CashboxShift)[]> {
  const open = shifts.filter(({ summary }) => summary === null);
  const items = await getItems(open.map(({ cashbox_id }) => deskMoneyKey(home, cashbox_id)));
  const running = new Map(items.map((item) => DeskMoney.parse(item).shift).map((each) => [each?.id, each]));
  return shifts.map((shift) =>
    showShift(shift, shift.summary ?? runningSummary(shift, running.get(shift.id)), told),
  );
}

/** Shows a shift by a summary. */
export function showShift<S extends StoredShift>(
  shift: S,
  summary: ShiftSummary,
  { locale, at }: Told,
): S & CashboxShift {
  const { closes_at, closed_at } = shift;
  return {
    ...shift,
    closes_in: closes_at === null ? null : Math.floor((closes_at - (closed_at ?? at)) / 1000),
    summary: {
      ...summary,
      rows: summary.rows.map((row) => {
        const payment_type_name = label(locale, { key: `payment_type.${row.payment_type}` });
        return { ...row, payment_type_name };
      }),
    },
  };
}

/** Sums up a shift that is still open. `Contention` if it is not any more. */
export function runningSummary(
  { opening_currency }: Pick<StoredShift, 'opening_currency'>,
  running: OpenShift | null | undefined,
): ShiftSummary {
  if (!running) throw new Contention();
  return summaryOf(running, opening_currency, listExpected(running, opening_currency));
}
