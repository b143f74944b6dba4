import { expect, test } from 'vitest';
import * as z from 'zod';
import { DaysFilter, reportParameters } from '#lib/reports/frame/query.ts';
import { fromQueryString } from '#lib/values/from-text.ts';

const Query = z.strictObject(reportParameters(['day', 'month'], { date: DaysFilter }));

/** Reads a query string; errors are returned by the paths of its parameters. */
function read(text: string) {
  const { data, error } = Query.safeParse(fromQueryString(Query, text));
  return data ?? error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

test('a report has both of its days, in their order, and at most 731', () => {
  const of = (from: string, to: string) => read(`filter[date][0]=${from}&filter[date][1]=${to}`);
  expect(of('2026-01-01', '2026-01-01')).toMatchObject({
    group: 'day',
    filter: { date: { from: '2026-01-01', to: '2026-01-01' } },
  });
  expect(of('2024-11-23', '2026-11-23')).toMatchObject({ filter: { date: { from: '2024-11-23' } } });
  expect(of('2024-11-22', '2026-11-23')).toEqual([['filter.date', 'report.too_many_days']]);
  expect(of('2026-01-02', '2026-01-01')).toEqual([['filter.date', 'report.days_backwards']]);
});

test('missing days are reported by their own names', () => {
  const paths = (text: string) => [read(text)].flat().map((issue) => Object(issue)[0]);
  expect(paths('')).toEqual(['filter.date']);
  expect(paths('filter[date][0]=2026-01-01')).toEqual(['filter.date.1']);
});
