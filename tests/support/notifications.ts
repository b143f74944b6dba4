import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import * as z from 'zod';
import { call } from './http.ts';
import { MAX_WAIT_MS } from './patience.ts';

export const NOTIFICATIONS = '/common/user/notification';
export const BROADCASTS = '/admin/user/notification';

const Page = z.object({
  data: z.array(z.object({ id: z.int(), text: z.string(), type: z.string(), is_seen: z.boolean() })),
  meta: z.object({ total: z.int() }),
});

/** Reads a user's list of notifications. */
export async function notificationsOf(token: string, query = '') {
  const { status, body } = await call(`GET ${NOTIFICATIONS}?${query}`, { token });
  expect(status).toBe(200);
  return Page.parse(body).data;
}

/**
 * Sends a user a notification over HTTP, and waits until the worker has delivered it; returns the
 * notification's id.
 */
export async function notifyUser(
  administrator: string,
  user: { readonly id: number; readonly token: string },
  given: { readonly text?: string; readonly type?: string } = {},
): Promise<number> {
  const { text = randomUUID(), type = 'message' } = given;
  const json = { user_query: `filter[id]=${user.id}`, type, text };
  expect(await call(`POST ${BROADCASTS}`, { token: administrator, json })).toMatchObject({
    status: 200,
    body: { message: 'Успешно' },
  });
  return waitForNotification(user.token, text);
}

/** Waits for a notification with this text; returns its id. */
export async function waitForNotification(token: string, text: string): Promise<number> {
  const until = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const found = (await notificationsOf(token)).find((each) => each.text === text);
    if (found) return found.id;
    if (Date.now() > until) throw new Error(`No notification came: ${text}`);
    await pause(50);
  }
}
