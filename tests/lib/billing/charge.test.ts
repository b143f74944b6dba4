import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maker } from '#bin/local/maker.ts';
import { readBooks } from '#bin/verify/family.ts';
import { charge, chargeAll, previewCharges } from '#lib/billing/charge.ts';
import { TARIFF_ENTRY, TariffEntry } from '#lib/billing/entry.ts';
import { showTariff } from '#lib/billing/show.ts';
import { setTerms } from '#lib/billing/tariff.ts';
import * as companies from '#lib/people/company/company.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { type Day, daysAfter, startOfDay } from '#lib/values/time.ts';
import { newCompany } from '#tests/support/family.ts';

const MAIN = 10_000_000;
const BRANCH = 3_100_000;

/** Returns noon of a day. */
function noon(day: Day): number {
  return startOfDay(day) + 12 * 3_600_000;
}

/** Creates a company with a tariff of 100 000 a month and 31 000 for a branch, set on a day. */
async function subscriber(day: Day, given: object = {}): Promise<number> {
  const id = await newCompany(null, noon(day));
  const input = { prices: { main: MAIN, branch: BRANCH }, billing_period: 'monthly', grace_days: 5 } as const;
  await setTerms(maker, id, { ...input, trial_ends_at: null, ...given }, noon(day));
  return id;
}

async function entriesOf(id: number) {
  const items = await wholePartition(partition(TARIFF_ENTRY, familyTenant(id)));
  return items.map((item) => TariffEntry.parse(item));
}

/** Lists charges, by their start day. */
async function chargesOf(id: number) {
  return (await entriesOf(id)).map(({ day, amount, period }) => [day, -amount, period?.to]);
}

async function seen(id: number, day: Day) {
  const charged = await charge(id, noon(day));
  if (!charged) throw new Error('There is a tariff');
  return showTariff(charged, noon(day));
}

describe('charging (Contract 9.55)', () => {
  test('a month that began on the 31st comes back to the 31st after a shorter one', async () => {
    const id = await subscriber('2026-01-31');
    await seen(id, '2026-04-30');
    expect(await chargesOf(id)).toEqual([
      ['2026-01-31', 100_000, '2026-02-28'],
      ['2026-02-28', 100_000, '2026-03-31'],
      ['2026-03-31', 100_000, '2026-04-30'],
      ['2026-04-30', 100_000, '2026-05-31'],
    ]);
  });

  test('many at once charge a period once', async () => {
    const id = await subscriber('2026-01-10');
    await Promise.all(Array.from({ length: 10 }, () => charge(id, noon('2026-03-10'))));
    expect(await chargesOf(id)).toHaveLength(3);
  });

  test('the schedule charges every family, and again nothing', async () => {
    const ids = await Promise.all([subscriber('2026-01-10'), subscriber('2026-01-12')]);
    await chargeAll(noon('2026-02-11'));
    await chargeAll(noon('2026-02-11'));
    expect((await Promise.all(ids.map(chargesOf))).map(({ length }) => length)).toEqual([2, 1]);
  });

  test('what is reckoned without a write is what will be charged', async () => {
    const id = await subscriber('2026-01-10');
    const reckoned = await previewCharges(id, noon('2026-03-10'));
    expect(reckoned?.tariff.balance).toBe(-3 * MAIN);
    expect(await chargesOf(id)).toHaveLength(1);
    expect((await charge(id, noon('2026-03-10')))?.tariff).toMatchObject({ balance: -3 * MAIN });
  });

  test('a changed period is in force from the next payment on (Contract 9.54)', async () => {
    const id = await subscriber('2026-01-10');
    const prices = { main: MAIN, branch: BRANCH };
    const yearly = { prices, billing_period: 'yearly', trial_ends_at: null, grace_days: 5 } as const;
    await setTerms(maker, id, yearly, noon('2026-01-20'));
    expect(await seen(id, '2026-02-09')).toMatchObject({ billing_period: 'monthly' });
    expect(await seen(id, '2026-02-10')).toMatchObject({
      billing_period: 'yearly',
      pending_billing_period: null,
      next_payment_at: '2027-02-10',
      period_total: 12 * MAIN,
    });
    expect(await chargesOf(id)).toEqual([
      ['2026-01-10', 100_000, '2026-02-10'],
      ['2026-02-10', 1_200_000, '2027-02-10'],
    ]);
  });

  test('a longer trial delays the next charge, and the months begin anew with it', async () => {
    const id = await subscriber('2026-01-10');
    const prices = { main: MAIN, branch: BRANCH };
    const free = { prices, billing_period: 'monthly', trial_ends_at: '2026-03-05', grace_days: 99 } as const;
    await setTerms(maker, id, free, noon('2026-01-20'));
    expect(await seen(id, '2026-02-20')).toMatchObject({ status: 'trial', next_payment_at: '2026-03-05' });
    await seen(id, '2026-03-05');
    expect(await chargesOf(id)).toEqual([
      ['2026-01-10', 100_000, '2026-02-10'],
      ['2026-03-05', 100_000, '2026-04-05'],
    ]);
  });
});

describe('branches (Contract 6)', () => {
  test('one that comes within a period is charged for the days that are left, once', async () => {
    const id = await subscriber('2026-03-01');
    await newCompany(id, noon('2026-03-22'));
    const today = await seen(id, '2026-03-22');
    expect(today.recommended_payment).toMatchObject({ current_period_amount: 11_000_000, is_prorated: true });
    await seen(id, '2026-03-31');
    await seen(id, '2026-04-01');
    expect(await chargesOf(id)).toEqual([
      ['2026-03-01', 100_000, '2026-04-01'],
      // Ten days of 31.
      ['2026-03-22', 10_000, '2026-04-01'],
      ['2026-04-01', 131_000, '2026-05-01'],
    ]);
  });

  test('one that is deleted is charged no more; restored, from that day on', async () => {
    const id = await subscriber('2026-03-01');
    const branch = await newCompany(id, noon('2026-03-01'));
    await seen(id, '2026-03-02');
    await companies.remove(maker, branch, noon('2026-03-20'));
    await seen(id, '2026-04-02');
    await companies.restore(maker, branch, noon('2026-04-16'));
    await seen(id, '2026-04-20');
    expect(await chargesOf(id)).toEqual([
      ['2026-03-01', 100_000, '2026-04-01'],
      ['2026-03-01', 31_000, '2026-04-01'],
      ['2026-04-01', 100_000, '2026-05-01'],
      // Fifteen days of thirty.
      ['2026-04-16', 15_500, '2026-05-01'],
    ]);
  });
});

describe('grace (Contract 6)', () => {
  test('a debt blocks when its days of grace are over', async () => {
    const id = await subscriber('2026-01-10');
    expect(await seen(id, '2026-01-14')).toMatchObject({
      status: 'active',
      is_blocked: false,
      block_scheduled: true,
      block_at: startOfDay('2026-01-15'),
    });
    expect(await seen(id, '2026-01-15')).toMatchObject({
      status: 'blocked',
      is_blocked: true,
      block_scheduled: false,
      block_at: startOfDay('2026-01-15'),
    });
  });

  test('the moment of the block is known before anyone charges', async () => {
    const trial_ends_at = '2026-02-01';
    const id = await subscriber('2026-01-10', { trial_ends_at });
    const before = await previewCharges(id, noon('2026-01-10'));
    expect(before?.tariff.block_at).toBe(startOfDay('2026-02-06'));
    expect((await charge(id, noon('2026-02-01')))?.tariff.block_at).toBe(startOfDay('2026-02-06'));
  });
});

const DAYS = 100;
const BEGAN = '2026-01-31';

interface Plan {
  /** Days after the start on which the tariff is read. */
  readonly reads: readonly number[];
  /** Days on which a branch is created. */
  readonly branches: readonly number[];
  readonly trial: number | null;
  readonly billing_period: 'monthly' | 'yearly';
}

const day = fc.integer({ min: 0, max: DAYS });

const plans: fc.Arbitrary<Plan> = fc.record({
  reads: fc.array(day, { maxLength: 12 }),
  branches: fc.array(day, { maxLength: 3 }),
  trial: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
  billing_period: fc.constantFrom('monthly', 'yearly'),
});

test('whenever it is read, the same is charged for the same days, and entries come to the balance', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const [often, once] = await Promise.all([live(plan), live({ ...plan, reads: [] })]);
      expect(sums(await entriesOf(often))).toEqual(sums(await entriesOf(once)));
      for (const id of [often, once]) expect((await readBooks(id)).violations).toEqual([]);
    }),
    { numRuns: 4 },
  );
});

/** Plays a plan for a family, day by day, and reads its tariff at the end. */
async function live({ reads, branches, trial, billing_period }: Plan): Promise<number> {
  const trial_ends_at = trial === null ? null : daysAfter(BEGAN, trial);
  const id = await subscriber(BEGAN, { trial_ends_at, billing_period });
  for (const each of [...new Set([...branches, ...reads])].sort((a, b) => a - b)) {
    const at = noon(daysAfter(BEGAN, each));
    const made = branches.filter((other) => other === each);
    await Promise.all(made.map(() => newCompany(id, at)));
    if (reads.includes(each)) await charge(id, at);
  }
  await charge(id, noon(daysAfter(BEGAN, DAYS)));
  return id;
}

type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

/** Sums charges, by the last day of their period. */
function sums(entries: readonly Entry[]) {
  const byEnd = Map.groupBy(entries, ({ period }) => period?.to);
  return [...byEnd].map(([to, each]) => [to, each.reduce((sum, { amount }) => sum + amount, 0)]);
}
