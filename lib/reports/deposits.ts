import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { clients } from '#lib/clients/client.ts';
import { CLIENT_BALANCES, depositIn } from '#lib/clients/client-balances.ts';
import { counterPartition } from '#lib/records/links/counters.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { Currency, LargeAmount } from '#lib/values/money.ts';
import { readNames } from './frame/names.ts';
import { inOrderOfCurrency, inOrderOfId } from './frame/order.ts';
import { reportParameters } from './frame/query.ts';
import { keyed, type Report } from './frame/report.ts';
import { reportSheet } from './frame/sheet.ts';

/** A row of the report: a client's deposit in a currency. Part 5, 5A.6, 5. */
export const DepositsRow = z.object({ ...keyed, currency: Currency, amount: LargeAmount });

type Row = z.input<typeof DepositsRow>;

/** The report as a workbook. */
export const depositsSheet = reportSheet(DepositsRow, 'report.deposits');

/** Query string of the report. */
export const DepositsQuery = z.strictObject(reportParameters(['client'], {}));

/** Lists the deposits of the family's clients as of now, by client and currency. */
export async function depositsReport({ tenant }: Staff): Promise<Report<Row>> {
  const items = await wholePartition(counterPartition(CLIENT_BALANCES, tenant));
  const deposits = items.flatMap((item) =>
    Currency.options.flatMap((currency) => {
      const amount = item[depositIn(currency)];
      // Counters have no id beside their key.
      const client = Number(item['sk']);
      return typeof amount === 'number' && amount > 0 ? [{ client, currency, amount: BigInt(amount) }] : [];
    }),
  );
  const nameOf = await readNames(
    { type: clients.type, tenant },
    deposits.map(({ client }) => client),
    'full_name',
  );
  const data = deposits.map(({ client, ...sum }) => ({ key: client, label: nameOf(client), ...sum }));
  const totals = [...Map.groupBy(deposits, ({ currency }) => currency)].map(([currency, own]) => {
    return { key: null, label: null, currency, amount: own.reduce((sum, { amount }) => sum + amount, 0n) };
  });
  return {
    data: data.sort((one, other) => inOrderOfId(one, other) || inOrderOfCurrency(one, other)),
    totals: totals.sort(inOrderOfCurrency),
    period: null,
  };
}
