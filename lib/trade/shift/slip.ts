import type { Staff } from '#lib/auth/actor.ts';
import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { printMoney } from '#lib/printing/numbers.ts';
import { type Entry, type Paper, renderSlip, type Slip } from '#lib/printing/slip.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import { renderInstant } from '#lib/values/time.ts';
import type { CashboxShift } from './record.ts';
import { type AnswerContext, get } from './show.ts';

type ShownRow = CashboxShift['summary']['rows'][number];

/**
 * Lays out a shift as a page to print: an X report while it is open, then a Z report. 404 as for the shift.
 * Part 5, 5B.8.
 */
export async function printShift(actor: Staff, id: number, paper: Paper, context: AnswerContext) {
  const shift = await get(actor, id, [deskEmbed], context);
  return renderSlip(shiftSlip(shift, context), paper, context.locale);
}

/** Returns the slip of a shift: opening, movements, expected and counted money of each kind. */
function shiftSlip(shift: CashboxShift, { locale, at }: AnswerContext): Slip {
  const { id, company, creator, cashbox, opened_at, closed_at, summary } = shift;
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: values });
  const isOpen = closed_at === null;
  const until = isOpen ? 'slip.now' : 'slip.closed';
  const names = [
    ['slip.desk', cashbox?.name],
    ['slip.cashier', creator?.profile?.full_name],
    ['slip.opened', renderInstant(opened_at)],
    [until, renderInstant(closed_at ?? at)],
  ] as const;
  const count = (key: LabelKey, value: number) => ({ label: word(key), value: String(value) });
  return {
    title: word(isOpen ? 'slip.x_report' : 'slip.z_report', { id }),
    head: [company?.name, company?.company_name].filter((name) => name != null),
    facts: names.flatMap(([key, value]) => (value ? [{ label: word(key), value }] : [])),
    lines: [],
    totals: [],
    blocks: [
      ...summary.rows.map((row) => ({
        title: word('slip.kind', { kind: row.payment_type_name, currency: row.currency.toUpperCase() }),
        entries: entriesOfRow(row, isOpen, locale),
      })),
      ...summary.debts.map(({ currency, given, repaid, refunded }) => ({
        title: word('slip.debts', { currency: currency.toUpperCase() }),
        entries: [
          { label: word('slip.debts_given'), value: printMoney(given) },
          { label: word('slip.debts_repaid'), value: printMoney(repaid) },
          { label: word('slip.debts_refunded'), value: printMoney(refunded) },
        ],
      })),
      ...(summary.deposits ?? []).map(({ currency, received, paid_out, spent, returned }) => ({
        title: word('slip.deposits', { currency: currency.toUpperCase() }),
        entries: [
          { label: word('slip.deposits_received'), value: printMoney(received) },
          { label: word('slip.deposits_paid_out'), value: printMoney(paid_out) },
          { label: word('slip.deposits_spent'), value: printMoney(spent) },
          { label: word('slip.deposits_returned'), value: printMoney(returned) },
        ],
      })),
      {
        title: null,
        entries: [
          count('slip.sales_count', summary.checks_count),
          count('slip.returns_count', summary.returns_count),
          count('slip.refused_count', shift.refused_sales),
        ],
      },
    ],
    remarks: [shift.opening_comment, shift.closing_comment].filter((comment) => comment !== null),
    qr: null,
    signatures: [word('slip.cashier')],
  };
}

function entriesOfRow(row: ShownRow, isOpen: boolean, locale: Locale): Entry[] {
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: values });
  const sources = row.by_source.flatMap(({ source_type, income, outcome }) => {
    const source = word(`operation.source.${source_type}`);
    return [
      { label: word('slip.income', { source }), amount: income },
      { label: word('slip.outcome', { source }), amount: -outcome },
    ].filter(({ amount }) => amount !== 0);
  });
  const counted = [
    { label: word('slip.actual'), amount: row.actual },
    { label: word('slip.difference'), amount: row.difference },
    { label: word('slip.transferred'), amount: row.transferred },
    { label: word('slip.left'), amount: row.left },
  ];
  return [
    { label: word('slip.opening'), amount: row.opening },
    ...sources,
    { label: word('slip.expected'), amount: row.expected },
    ...(isOpen ? [] : counted),
  ].map(({ label, amount }) => ({ label, value: printMoney(amount) }));
}
