import { expect, test } from 'vitest';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

test('all problems are reported at once, for each path the one found first', () => {
  const issues = new ValidationIssues();
  expect(issues.areAny).toBe(false);
  issues.add('products.0.price', { key: 'sale.price_too_low', with: { min: 5 } });
  issues.add('products.0.price', 'sale.price_fixed');
  issues.add('client_id', 'sale.debt_without_client');
  expect(issues.areAny).toBe(true);
  expect(issues.refusal).toMatchObject({
    status: 422,
    fields: {
      'products.0.price': { key: 'sale.price_too_low', with: { min: 5 } },
      client_id: { key: 'sale.debt_without_client' },
    },
  });
});
