import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import * as z from 'zod';
import { type Reply, replyOf, type Sent, sendTo } from '#bin/program/person.ts';
import { isRefusalCode } from '#lib/values/say.ts';
import { fieldsOfForm, mediaTypeOf, record, triesStale } from './recording.ts';
import { isToBeRepeated, requireSame } from './replay.ts';

type Options = Omit<Sent, 'signal'>;

/** Sends a request over real HTTP: `call('POST /company/product/brand', { token, json })`. */
export async function call(request: string, sent: Options = {}): Promise<Reply> {
  const { json, form, text, headers } = sent;
  const send = (further: Options['headers'] = {}) =>
    sendTo(inject('address'), request, { ...sent, headers: { ...headers, ...further } });
  const stale = triesStale(request, headers) ? (await send({ 'if-match': '"999999"' })).status : undefined;
  const key = isToBeRepeated(request, headers) ? { 'idempotency-key': randomUUID() } : undefined;
  const response = await send(key);
  const first = response.clone();
  const reply = await replyOf(response);
  if (key && response.ok) await requireSame(request, await first.text(), await send(key));
  const { body } = reply;
  const isJson = body !== undefined;
  // API Gateway refuses what is too large by itself, in words that are not ours.
  if (isJson && response.status >= 400 && response.status !== 413) {
    requireCodes(request, response.status, body);
  }
  if (/^GET [^?]+\/\d+(\?|$)/.test(request) && isJson && response.status === 200)
    requireTag(request, response);
  record({
    request,
    sent: form ? fieldsOfForm(form) : (json ?? jsonIn(text)),
    status: response.status,
    got: body,
    type: mediaTypeOf(response.headers),
    stale,
  });
  return reply;
}

const RefusalKey = z.string().refine(isRefusalCode);
const Refused = z.strictObject({ message: z.string(), code: RefusalKey });
const Wrong = Refused.extend({
  errors: z.record(z.string(), z.array(z.string()).min(1)),
  codes: z.record(z.string(), z.array(RefusalKey).min(1)),
  holders: z.record(z.string(), z.strictObject({ id: z.int(), is_deleted: z.boolean() })).optional(),
});

/**
 * Throws if a refusal lacks its code, or a 422 a code for each of its texts. Every refusal that any test
 * meets is looked at. Decisions, 1, "Machine codes".
 */
function requireCodes(request: string, status: number, body: unknown): void {
  const told = status === 422 ? Wrong.safeParse(body) : Refused.safeParse(body);
  if (!told.success) throw new Error(`${request} is refused by ${status} without its code: ${told.error}`);
  if (!('codes' in told.data)) return;
  const { code, codes, errors } = Wrong.parse(told.data);
  const paths = Object.keys(errors);
  const isWhole = paths.every((path) => codes[path]?.length === errors[path]?.length);
  const [first] = Object.values(codes)[0] ?? [];
  if (isWhole && Object.keys(codes).join() === paths.join() && first === code) return;
  throw new Error(
    `${request} is refused with codes that are not those of its errors: ${JSON.stringify(body)}`,
  );
}

/**
 * Throws if the answer with one record lacks the tag of its version. Decisions, 1, "Concurrent edits".
 */
function requireTag(request: string, { headers }: Response): void {
  if (!/^"\d+"$/.test(headers.get('etag') ?? '')) throw new Error(`${request} answers without an ETag`);
}

/** Reads a raw body that is JSON; undefined if it is none. */
function jsonIn(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes a form of fields and files. */
export function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
