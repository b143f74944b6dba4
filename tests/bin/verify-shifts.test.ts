import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { TRANSFER } from '#lib/cash/transfer/record.ts';
import { documents, type Item, tableName } from '#lib/table/client.ts';
import { familyHome, type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { call } from '#tests/kit/http.ts';
import { cancelOf, newTill, operate, type Till } from '#tests/kit/operations.ts';
import { closeShift, enableShifts, openShift } from '#tests/kit/shifts.ts';

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

/**
 * A till with a shift that was closed with a shortage and a collection, which came back in the next one; that
 * is open, with an income that was canceled.
 */
async function newShifts(): Promise<Till> {
  const till = await newTill(1000);
  await enableShifts(till);
  const first = await openShift(till, { opening_balances: [{ ...CASH, amount: 200 }] });
  await operate(till, 'outcome', 50);
  const actuals = [{ ...CASH, amount: 1100 }];
  await closeShift(till, first, { actuals, closing_comment: 'Нет', closing_action: 'transfer_all' });
  await openShift(till);
  const { body } = await call(`GET /company/cashbox/cashbox/${till.cashboxId}/transfers`, {
    token: till.token,
  });
  const collected = Object(body).data.find(({ source_type }: Item) => source_type === 'collection');
  expect((await cancelOf(till, collected.id)).status).toBe(200);
  const income = await operate(till, 'income', 30);
  expect((await cancelOf(till, Object(income.body).id)).status).toBe(200);
  await operate(till, 'income', 5);
  return till;
}

async function set(key: Key, change: (item: Item) => Item): Promise<void> {
  const item = (await getItem(key)) ?? {};
  await documents.send(
    new PutCommand({ TableName: tableName(), Item: { ...item, ...change(item), ...key } }),
  );
}

async function faultsOf({ companyId }: Till): Promise<string[]> {
  const { violations } = await readBooks(companyId);
  for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
  return violations.map(({ book, what }) => `${book}: ${what}`);
}

test('shifts, late money and today’s sums add up', async () => {
  const till = await newShifts();
  expect(await faultsOf(till)).toEqual([]);
  expect((await readBooks(till.companyId)).counts.get('shifts')).toBe(2);
});

const DAMAGE: readonly [string, string, (till: Till, home: Home) => Promise<void>][] = [
  [
    'an open shift that counted a transfer too little',
    'desks: reason income cash_uzs, amount is 0, its transfers say 500',
    ({ cashboxId }, home) =>
      set(deskMoneyKey(home, cashboxId), ({ shift }) => ({
        shift: { ...Object(shift), tallies: { 'collection income cash_uzs': [1, 110_000] } },
      })),
  ],
  [
    'a closed shift that says something else than its transfers',
    'shifts: reason outcome cash_uzs, amount is 5000, its transfers say 5001',
    (_, home) => set(recordKey(TRANSFER, home, 3), () => ({ amount: 5001 })),
  ],
  [
    'a closed shift whose rows don’t add up',
    'shifts: left of cash uzs does not follow',
    (_, home) =>
      set(recordKey(shifts.type, home, 1), ({ summary }) => {
        const { rows, ...rest } = Object(summary);
        return { summary: { ...rest, rows: rows.map((row: Item) => ({ ...row, left: 1 })) } };
      }),
  ],
  [
    'a desk whose day counted a transfer twice',
    'desks: says 500 of income cash_uzs',
    ({ cashboxId }, home) =>
      set(deskMoneyKey(home, cashboxId), ({ day }) => ({
        day: { ...Object(day), income: { cash_uzs: 500 } },
      })),
  ],
  [
    'a difference of a shift that is not there',
    'documents: is of shift 7, which does not tell of it',
    (_, home) => set(recordKey(TRANSFER, home, 4), () => ({ source_id: 7 })),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  const till = await newShifts();
  await damage(till, familyHome(till.companyId));
  expect((await faultsOf(till)).some((fault) => fault.startsWith(said))).toBe(true);
});
