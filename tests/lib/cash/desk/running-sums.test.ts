import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeskMoney, NO_MONEY } from '#lib/cash/desk/money.ts';
import {
  addToShift,
  areSumsBounded,
  cancelMove,
  changeOnHold,
  confirmMove,
  moveMoney,
} from '#lib/cash/desk/movement.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';

const AT = Date.parse('2026-11-26T10:00:00Z');
const DATE = '2026-11-26';
const CASH = { payment_type: 'cash', currency: 'uzs' } as const;
const NAME = 'cash_uzs';

const SHIFT = {
  ...{ id: 1, creator_id: 1, opened_at: AT, closes_at: null, overdue_action: null },
  ...{ opening_balance: {}, tallies: {}, debts: {} },
};

const DAY = { date: DATE, opening: {}, income: {}, outcome: {} };

/** Creates the money of a desk with some cash, and something else. */
function deskWith(given: object): DeskMoney {
  return DeskMoney.parse({ ...NO_MONEY, [NAME]: 1000, day: DAY, shift: SHIFT, ...given });
}

const full = { [NAME]: MAX_AMOUNT };
const came = { ...CASH, type: 'income', amount: 1, source_type: 'sale' } as const;
const left = { ...came, type: 'outcome' } as const;
const made = { ...left, created_at: AT, shift_id: 1, status: 'completed' };
const held = { ...made, status: 'on_hold' };
const tally = (name: string) => ({ ...SHIFT, tallies: { [`${name} ${NAME}`]: [90, MAX_AMOUNT] } });
const lent = (name: string) => ({ ...SHIFT, debts: { uzs: { [name]: MAX_AMOUNT } } });

/** Each running sum of a desk at its bound, and a change that would exceed it. */
const PASSED: Readonly<Record<string, () => DeskMoney | undefined>> = {
  'the money itself': () => moveMoney(deskWith({ [NAME]: MAX_AMOUNT }), came, AT),
  'the income of the day': () => moveMoney(deskWith({ day: { ...DAY, income: full } }), came, AT),
  'the outcome of the day': () => moveMoney(deskWith({ day: { ...DAY, outcome: full } }), left, AT),
  'what the day began with': () =>
    moveMoney(deskWith({ day: { ...DAY, date: '2026-11-27', opening: full } }), came, LATE),
  'the outcome of the day, by a confirmation': () =>
    confirmMove(deskWith({ on_hold: { [NAME]: 1 }, day: { ...DAY, outcome: full } }), held, AT),
  'a tally of the shift': () => moveMoney(deskWith({ shift: tally('sale income') }), came, AT),
  'a tally of the shift that goes out': () => moveMoney(deskWith({ shift: tally('sale outcome') }), left, AT),
  'a tally of another shift’s money that comes back': () =>
    cancelMove(deskWith({ shift: tally('sale income') }), { ...made, shift_id: 7 }, AT),
};

/** Just before the midnight of Tashkent after which the day of the 27th begins. */
const LATE = Date.parse('2026-11-26T18:59:59Z');

test.each(Object.entries(PASSED))(
  'what would pass the bound of a running sum is refused: %s (Contract 9.117)',
  (_, pass) => expect(pass()).toBeUndefined(),
);

test('sums of debts of a shift and of money in transit are distinguished from their bounds (Contract 9.117)', () => {
  for (const name of ['given', 'repaid', 'refunded'] as const) {
    const money = deskWith({ shift: lent(name) });
    expect(areSumsBounded(money)).toBe(true);
    expect(areSumsBounded(addToShift(money, { debt: { currency: 'uzs', [name]: 1 } }))).toBe(false);
  }
  const away = deskWith({ on_hold: full });
  expect(areSumsBounded(away)).toBe(true);
  expect(areSumsBounded(changeOnHold(away, CASH, 1))).toBe(false);
});

test('whatever moves, a desk stays readable and within its bounds (Contract 9.117)', () => {
  const amount = fc.integer({ min: 1, max: MAX_AMOUNT });
  const move = fc.record({ isIncome: fc.boolean(), amount, source_type: fc.constantFrom('sale', 'reason') });
  fc.assert(
    fc.property(fc.array(move, { minLength: 50, maxLength: 300 }), (moves) => {
      let money = deskWith({});
      for (const { isIncome, ...moved } of moves) {
        const next = moveMoney(money, { ...CASH, ...moved, type: isIncome ? 'income' : 'outcome' }, AT);
        money = next ?? money;
      }
      expect(areSumsBounded(money)).toBe(true);
      expect(DeskMoney.safeParse(money).success).toBe(true);
    }),
    { numRuns: 30 },
  );
});
