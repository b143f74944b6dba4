import { inject } from 'vitest';
import * as z from 'zod';

/** An answer of the service as a caller sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; undefined if it is none. */
  readonly body: Json;
}

/** JSON to look into: a missing step gives undefined, as the test would fail then anyway. */
export type Json = z.output<typeof JsonValue>;

const JsonValue = z.json().or(z.undefined());

interface Options {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: FormData;
  /** A raw body, if it is neither JSON nor a form. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request over real HTTP: `call('POST /company/product/brand', { token, json })`. */
export async function call(
  request: string,
  { token, json, form, text, headers }: Options = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const response = await fetch(`${inject('address')}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: form ?? text ?? (json === undefined ? null : JSON.stringify(json)),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? JsonValue.parse(await response.json()) : undefined;
  return { status: response.status, headers: response.headers, body };
}

/** Makes a form of fields and files. */
export function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
