import { expect } from 'vitest';
import type { Family } from './family.ts';
import { call } from './http.ts';

/** Has a family's main company work with shifts. */
export async function enableShifts({ director: token }: Family, given: object = {}): Promise<void> {
  const json = { cashbox_shift_settings: { is_enabled: true, ...given } };
  expect((await call('PUT /company/company/settings', { token, json })).status).toBe(200);
}
