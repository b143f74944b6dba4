import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import * as z from 'zod';
import { type Reply, type RequestContent, replyOf, sendTo } from '#bin/cli/person.ts';
import { recordTestCall } from './call-recorder.ts';
import { MAX_WAIT_MS } from './patience.ts';
import { tryStale } from './recording.ts';
import { keyFor } from './replay.ts';

/**
 * Sends a request over real HTTP: `call('POST /company/product/brand', { token, json })`. It is one request,
 * unless a busy machine makes the service answer 503 with a retry: the rules for every call are checked when
 * the test is over (`rules.ts`), and only `npm run examples` sends another request before it.
 */
export async function call(request: string, given: Omit<RequestContent, 'signal'> = {}): Promise<Reply> {
  const sent = { ...given, headers: { ...given.headers, ...keyFor(request, given.headers) } };
  const stale = await tryStale(request, given);
  for (const end = Date.now() + MAX_WAIT_MS; ; await pause(BUSY_MS)) {
    const response = await sendTo(inject('address'), request, sent);
    const text = await response.clone().text();
    const reply = await replyOf(response);
    if (isBusy(reply) && Date.now() < end) continue;
    recordTestCall({ request, sent, reply, text, stale });
    return reply;
  }
}

/** Delay before a retry; the service suggests a second. */
const BUSY_MS = 1000;

const Busy = z.object({ code: z.literal('http.unavailable') });

/** Returns whether a call failed because the table was busy or no time was left: the caller should retry. */
function isBusy({ status, body }: Reply): boolean {
  return status === 503 && Busy.safeParse(body).success;
}

/** Creates a form of fields and files. */
export function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
