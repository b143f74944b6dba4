import createClient from 'openapi-fetch';
import type { components, paths } from '../../../tests/client/generated/api.d.ts';
import { session } from './session.ts';
import { language } from './words.ts';

/*
 * The client that is generated from /openapi.json (see /docs/generate). Every call has one of three ends:
 * an answer; a refusal, which is for a person to read; or nothing, when the network is away.
 */

export type Schemas = components['schemas'];

/** A refusal by the service: texts by field, `products.0.sold_quantity`, in the language of the page. */
export class Refusal extends Error {
  status = 0;
  errors: Readonly<Record<string, readonly string[]>> = {};
}

/** No answer, or one that asks to come again: whether the call was carried out is not known. */
export class Unreachable extends Error {}

interface Outcome<T> {
  readonly data?: T;
  readonly error?: { readonly message: string; readonly errors?: Refusal['errors'] | null };
  readonly response: Response;
}

export const api = createClient<paths>({
  baseUrl: '',
  // A customer is waiting: after ten seconds a call counts as lost.
  fetch: (call) => fetch(call, { signal: AbortSignal.any([call.signal, AbortSignal.timeout(10_000)]) }),
});

api.use({
  onRequest: ({ request }) => {
    const token = session()?.token;
    if (token && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${token}`);
    request.headers.set('accept-language', language());
    return request;
  },
});

/** Returns the answer of a call. `navigator.onLine` is not asked: only an answer proves a network. */
export async function ask<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw new Unreachable();
  });
  if (response.status === 429 || response.status >= 500) throw new Unreachable();
  if (data !== undefined) return data;
  const { status, statusText } = response;
  throw Object.assign(new Refusal(error?.message ?? statusText), { status, errors: error?.errors ?? {} });
}

/** Reads the labels of an enumeration, in the language of the page. */
export async function labelsOf(name: string) {
  const { data } = await ask(api.GET('/common/public/enums'));
  return (data[name] ?? []).map(({ value, label }) => [value, label] as const);
}

/** Returns the header of a call that moves goods or money: repeated, it moves them once. */
export function once(key: string = crypto.randomUUID()) {
  return { header: { 'Idempotency-Key': key } };
}
