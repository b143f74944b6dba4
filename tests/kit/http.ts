import { inject } from 'vitest';
import { type Reply, replyOf, type Sent, sendTo } from '#bin/program/person.ts';
import { noteCall } from './noted.ts';
import { tryStale } from './recording.ts';
import { keyFor } from './replay.ts';

/**
 * Sends a request over real HTTP: `call('POST /company/product/brand', { token, json })`. It is one request:
 * what holds for every call is judged when the test is over (`rules.ts`), and only `npm run examples` sends
 * something before it.
 */
export async function call(request: string, given: Omit<Sent, 'signal'> = {}): Promise<Reply> {
  const sent = { ...given, headers: { ...given.headers, ...keyFor(request, given.headers) } };
  const stale = await tryStale(request, given);
  const response = await sendTo(inject('address'), request, sent);
  const text = await response.clone().text();
  const reply = await replyOf(response);
  noteCall({ request, sent, reply, text, stale });
  return reply;
}

/** Makes a form of fields and files. */
export function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
