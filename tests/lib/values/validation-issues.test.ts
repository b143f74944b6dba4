import { expect, test } from 'vitest';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

test('all problems are told at once, for each path the one found first', () => {
  const problems = new ValidationIssues();
  expect(problems.areAny).toBe(false);
  problems.add('products.0.price', { key: 'sale.price_too_low', with: { min: 5 } });
  problems.add('products.0.price', 'sale.price_fixed');
  problems.add('client_id', 'sale.debt_without_client');
  expect(problems.areAny).toBe(true);
  expect(problems.refusal).toMatchObject({
    status: 422,
    fields: {
      'products.0.price': { key: 'sale.price_too_low', with: { min: 5 } },
      client_id: { key: 'sale.debt_without_client' },
    },
  });
});
