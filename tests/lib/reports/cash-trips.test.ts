import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GET } from '#functions/company/report/cash.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { daysAfter } from '#lib/values/time.ts';
import { newEvent } from '#tests/support/event.ts';
import { newFamily } from '#tests/support/family.ts';
import { addMoves, FIRST_DAY } from '#tests/support/moves.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
import { writeRows } from '#tests/support/rows.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => void vi.restoreAllMocks());

test('31 days of 100 desks are 4 round trips at most (Part 4, 4.5 (7))', async () => {
  const family = await newFamily();
  const tenant = familyTenant(family.companyId);
  const desk = { company_id: family.companyId, name: 'Desk', type: 'sale', is_deleted: false, version: 1 };
  const ids = Array.from({ length: 100 }, (_, index) => 1001 + index);
  await writeRows(
    { type: desks.type, tenant, indexes: [] },
    ids.map((id) => ({ ...desk, id, created_at: 0 })),
  );
  const one = { company: family.companyId, kind: 0, type: 'income' as const, amount: 100, back: null };
  const moves = (day: number) => ids.map((id) => ({ ...one, desk: id, day }));
  await addMoves(tenant, [...moves(0), ...moves(20), ...moves(35)]);
  await updateReportRollups(family);
  await addMoves(tenant, moves(36));
  const days = `filter[date][0]=${daysAfter(FIRST_DAY, 10)}&filter[date][1]=${daysAfter(FIRST_DAY, 40)}`;
  const headers = { authorization: `Bearer ${family.director}` };
  const asked = {
    method: 'GET',
    rawPath: '/company/report/cash',
    headers,
    rawQueryString: `${days}&group=cashbox`,
  };
  lines = [];
  const answer = await GET(...newEvent(asked));
  expect(answer).toMatchObject({ statusCode: 200 });
  const told = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(told).toMatchObject([{ message: 'request' }]);
  expect(told[0].round_trips).toBeLessThanOrEqual(4);
  const { data, totals } = JSON.parse(Object(answer).body);
  expect(data).toHaveLength(100);
  expect(totals).toMatchObject([{ opening: 100, income: 300, outcome: 0, closing: 400 }]);
});
