import { describe, expect, test } from 'vitest';
import { checkLeastDeposit, leastDepositOf } from '#lib/trade/return/deposit-payout.ts';
import type { Purse } from '#lib/trade/return/purse.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Plain money of 1 000, of which 600 came from the deposit. */
const purse: Purse = { own: 1000, bank: null, cash: [], deposit: 600 };

describe('at least as much of a refund goes to the deposit as came from it (Part 5, 5A.6, 3)', () => {
  test.each<[string, Partial<Purse>, number, number]>([
    ['all of a smaller refund', {}, 500, 500],
    ['what came of a larger one', {}, 900, 600],
    ['nothing of none', {}, 0, 0],
    ['nothing, if nothing came', { deposit: 0 }, 900, 0],
    ['nothing, if more went back', { deposit: -100 }, 900, 0],
    ['after the bank money of a credit sale', { bank: 700 }, 900, 200],
    ['nothing while bank money suffices', { bank: 900 }, 900, 0],
    ['at most the money that is left', { own: 300 }, 900, 300],
  ])('%s', (_, given, due, least) => {
    expect(leastDepositOf({ ...purse, ...given }, due)).toBe(least);
  });

  test.each<[string, number, boolean]>([
    ['less is an issue', 599, true],
    ['just as much is none', 600, false],
    ['more is none', 700, false],
  ])('%s', (_, amount, isIssue) => {
    const issues = new ValidationIssues();
    checkLeastDeposit(amount, 600, issues);
    expect(issues.areAny).toBe(isIssue);
  });
});
