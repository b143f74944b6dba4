import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepRates, ratesWithin } from '#lib/cash/former-rates.ts';
import { keepPrice, notePrice } from '#lib/catalog/price.ts';
import { pricesWithin } from '#lib/trade/pricing/window.ts';
import { byCurrency, type Cents, Currency, convertAmount } from '#lib/values/money.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Card {
  readonly sale_price: Cents;
  readonly sale_currency: Currency;
  readonly min_price: Cents | null;
  readonly updated_at: number;
}

interface Rates {
  readonly sale_currency: Currency;
  readonly rates: Readonly<Record<Currency, { readonly rate: Cents }>>;
  readonly updated_at: number;
}

type GivenRates = Readonly<Record<'usd' | 'eur' | 'rub', Cents>> & Pick<Rates, 'sale_currency'>;

const currency = fc.constantFrom(...Currency.options);
const price = fc.record({
  sale_price: fc.integer({ min: 1, max: 9 }).map((each) => each * 100),
  sale_currency: currency,
  min_price: fc.option(fc.integer({ min: 0, max: 9 }).map((each) => each * 100)),
});
const rate = fc.integer({ min: 0, max: 3 }).map((each) => each * 5000);
const rates: fc.Arbitrary<GivenRates> = fc.record({
  usd: rate,
  eur: rate,
  rub: rate,
  sale_currency: currency,
});
const step = fc.record({
  pause: fc.integer({ min: 1, max: DAY_MS }),
  price: fc.option(price),
  rates: fc.option(rates),
});

const FIRST_CARD: Card = { sale_price: 500, sale_currency: 'uzs', min_price: null, updated_at: 0 };
const FIRST_RATES: Rates = {
  sale_currency: 'uzs',
  rates: byCurrency((each) => ({ rate: each === 'uzs' ? 100 : 5000 })),
  updated_at: 0,
};

/** Writes a card as the table does: with what it keeps of the change. */
function writeCard(before: Card, given: Omit<Card, 'updated_at'>, at: number): Card {
  const after = notePrice(
    before,
    { ...before, ...given, updated_at: at },
    { cause: 'card', by: { id: 1 }, at },
  );
  return { ...after, ...keepPrice(before, after) };
}

function writeRates(before: Rates, { sale_currency, ...given }: GivenRates, at: number): Rates {
  const own = { uzs: 100, ...given };
  const after = {
    ...before,
    sale_currency,
    rates: byCurrency((each) => ({ rate: own[each] })),
    updated_at: at,
  };
  return { ...after, ...keepRates(before, after) };
}

/** Picks what was in force at any moment since one: each was until the next came. */
function within<T extends { readonly updated_at: number }>(all: readonly T[], from: number): T[] {
  return all.filter((_, index) => (all[index + 1]?.updated_at ?? Number.POSITIVE_INFINITY) >= from);
}

test('a window knows every price by every rate in it and the lowest minimum, and nothing else (Part 4, 4.4)', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 25 }),
      currency,
      fc.integer({ min: 0, max: 30 }),
      (steps, wanted, days) => {
        let [card, held, at] = [FIRST_CARD, FIRST_RATES, 0];
        const [cards, sets] = [[FIRST_CARD], [FIRST_RATES]];
        for (const each of steps) {
          at += each.pause;
          if (each.price) card = writeCard(card, each.price, at);
          if (each.rates) held = writeRates(held, each.rates, at);
          cards.push(card);
          sets.push(held);
        }
        const from = at - days * DAY_MS;
        const { rates: all, saleCurrencies } = ratesWithin(held, from);
        const known = pricesWithin(card, wanted, { from, rates: all });
        const model = within(distinctPrices(cards), from).flatMap((was) =>
          within(distinctRates(sets), from).flatMap((set) => {
            const convert = (cents: Cents) =>
              was.sale_currency === wanted
                ? cents
                : convertAmount(cents, set.rates[was.sale_currency].rate, set.rates[wanted].rate);
            const [is, least] = [convert(was.sale_price), convert(was.min_price ?? 0)];
            return is === undefined || least === undefined ? [] : [{ is, least: Math.min(is, least) }];
          }),
        );
        expect(known.usual).toEqual(new Set(model.map(({ is }) => is)));
        expect(known.least).toBe(
          model.reduce((sum, { least }) => Math.min(sum, least), Number.POSITIVE_INFINITY),
        );
        const currencies = within(
          distinctBy(sets, (each) => each.sale_currency),
          from,
        );
        expect(new Set(saleCurrencies)).toEqual(new Set(currencies.map((each) => each.sale_currency)));
      },
    ),
  );
});

const distinctPrices = (cards: readonly Card[]) =>
  distinctBy(cards, (each) => JSON.stringify([each.sale_price, each.sale_currency, each.min_price]));
const distinctRates = (sets: readonly Rates[]) => distinctBy(sets, (each) => JSON.stringify(each.rates));

/** Leaves out those that are as the one before: nothing has changed by them. */
function distinctBy<T>(all: readonly T[], textOf: (each: T) => string): T[] {
  return all.filter((each, index) => {
    const before = all[index - 1];
    return before === undefined || textOf(before) !== textOf(each);
  });
}

test('a price that changes without a reason is a defect, whoever writes it', () => {
  const other = { ...FIRST_CARD, sale_price: 700 };
  expect(() => keepPrice(FIRST_CARD, other)).toThrow('nobody noted why');
  expect(() => keepPrice(undefined, other)).toThrow('nobody noted why');
  expect(keepPrice(FIRST_CARD, { ...FIRST_CARD, updated_at: 5 })).toEqual({});
});
