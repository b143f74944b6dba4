import { randomUUID } from 'node:crypto';
import { inject, vi } from 'vitest';
import { createTable } from '#bin/local/database/table.ts';
import { login } from '#lib/people/user/session.ts';

/** Creates an empty table: domain functions called in a test file read it from here on. */
export async function newTable(): Promise<string> {
  const table = `bootstrap-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', table);
  vi.stubEnv('TABLE_NAME', table);
  return table;
}

/** Signs in a user of that table. */
export function logIn(username: string, password: string) {
  return login({ username, password }, randomUUID(), Date.now());
}
