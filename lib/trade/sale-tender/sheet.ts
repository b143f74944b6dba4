import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import { SaleTender, saleTenders } from './record.ts';

const Sums = SaleTender.pick({ before: true, after: true });

/** Workbook of corrections of payment types: a column has what each type gained, below zero if it lost. */
export const saleTenderSheet = documentSheet(
  saleTenders,
  SaleTender,
  'sheet.sale_tenders',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('operation.source.sale', 'sale_id', 'number'),
    companyColumn,
    linkColumn('column.cashbox', deskEmbed),
    creatorColumn,
    column('currency', 'text', inCapitals),
    ...PaymentType.options.map((way) =>
      rowColumn(`column.${way}`, 'money', Sums, ({ before, after }) => {
        const [had, has] = [before, after].map((sums) =>
          totalAmount(sums.filter(({ payment_type }) => payment_type === way)),
        );
        return (has ?? 0) - (had ?? 0) || undefined;
      }),
    ),
  ],
);
