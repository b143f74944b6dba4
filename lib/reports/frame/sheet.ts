import * as z from 'zod';
import { fileResponse } from '#lib/files/links.ts';
import { type Cell, type CellKind, writeSheet } from '#lib/files/sheet-writer.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { whenPresent } from '#lib/values/by-schema.ts';
import { Cost, costMarkOf, LargeCost } from '#lib/values/cost.ts';
import { type Label, type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import { Currency, decimalOf, LargeAmount, Money, PaymentType } from '#lib/values/money.ts';
import { LargeQuantity, ONE, Quantity } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { dayOf, type Instant, Timestamp } from '#lib/values/time.ts';
import { headingOf } from './headings.ts';
import type { Report, ReportRow } from './report.ts';

/** A column: a field of a row, or a part of a field, by its path. */
interface Column {
  readonly heading: Label;
  readonly kind: CellKind;
  readonly path: readonly string[];
  readonly show: (value: unknown, locale: Locale) => Cell;
}

/**
 * Builds the workbook of a report: a column for each field of a row (one per part of a structured field), and
 * the totals last, labelled by `report.totals`. Costs that the caller may not see are empty. Part 4, 4.5.
 */
export function reportSheet<R extends ReportRow>(row: R, title: LabelKey) {
  return {
    async give(
      { data, totals }: Report<z.input<R>>,
      { locale, at }: { readonly locale: Locale; readonly at: Instant },
    ) {
      const columns = columnsOf(row, []);
      const [name, word] = [
        translateLabel(locale, { key: title }),
        translateLabel(locale, { key: 'report.totals' }),
      ];
      const rows = [...data, ...totals.map((total) => ({ ...total, label: word }))];
      const headings = columns.map(({ heading, kind }) => ({
        heading: translateLabel(locale, heading),
        kind,
      }));
      const cells = rows.map((each) => columns.map(({ path, show }) => show(valueAt(each, path), locale)));
      const content = await writeSheet(name, headings, [cells]);
      return fileResponse({ filename: `${name} ${dayOf(at)}.xlsx`, type: WORKBOOK_TYPE, content });
    },
  };
}

function columnsOf({ shape }: z.ZodObject, above: readonly string[]): Column[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const [path, schema] = [[...above, name], whenPresent(field)];
    const columns = columnsOfField(schema, path);
    const isHidden = requestContext().hidesCosts && costMarkOf(field);
    return isHidden ? columns.map((column) => ({ ...column, show: () => null })) : columns;
  });
}

function columnsOfField(schema: unknown, path: readonly string[]): Column[] {
  if (schema instanceof z.ZodObject) return columnsOf(schema, path);
  if (!(schema instanceof z.ZodRecord)) return [columnOf(path, schema)];
  return Currency.options.map((currency) => columnOf([...path, currency], schema.valueType));
}

function columnOf(path: readonly string[], schema: unknown): Column {
  return { path, heading: headingOf(path), ...lookOf(schema) };
}

const AMOUNTS: readonly unknown[] = [Money, LargeAmount, Cost, LargeCost];

/**
 * Returns the cell format of a field by its schema: amounts in units of their currency, quantities in pieces.
 */
function lookOf(schema: unknown): Pick<Column, 'kind' | 'show'> {
  if (AMOUNTS.includes(schema)) return { kind: 'money', show: numberIn };
  if (schema === Quantity) return { kind: 'number', show: piecesIn };
  if (schema === LargeQuantity)
    return { kind: 'number', show: (value) => decimalOf(BigInt(String(value)), 8) };
  if (schema === Timestamp) return { kind: 'day', show: numberIn };
  if (schema instanceof z.ZodNumber) return { kind: 'number', show: numberIn };
  if (schema === Currency) return { kind: 'text', show: (value) => String(value).toUpperCase() };
  if (schema === PaymentType) return { kind: 'text', show: paymentWord };
  return { kind: 'text', show: (value) => (typeof value === 'string' ? value : numberIn(value)) };
}

function piecesIn(value: unknown): number | null {
  const units = numberIn(value);
  return units === null ? null : units / ONE;
}

function numberIn(value: unknown): number | null {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : null;
}

function paymentWord(value: unknown, locale: Locale): string {
  return translateLabel(locale, { key: `payment_type.${PaymentType.parse(value)}` });
}

function valueAt(row: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    row,
  );
}
