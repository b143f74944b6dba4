import * as z from 'zod';

/** Body and headers of a request: JSON, a form or another text, and the caller's credentials. */
export interface RequestContent {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** JSON to read from. */
export type Json = z.output<typeof JsonValue>;

const JsonValue = z.json().or(z.undefined());

/** A response of the service, read by paths: `number('summary.rows.0.expected')`. A wrong path throws. */
export class Reply {
  readonly status: number;
  readonly headers: Headers;
  /** JSON of the response; undefined if it has none. */
  readonly body: Json;

  constructor(status: number, headers: Headers, body: Json) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  number(path: string): number {
    return z.number(path).parse(valueAt(this.body, path));
  }

  text(path: string): string {
    return z.string(path).parse(valueAt(this.body, path));
  }

  flag(path: string): boolean {
    return z.boolean(path).parse(valueAt(this.body, path));
  }

  rows(path = 'data'): readonly Reply[] {
    const rows = z.array(JsonValue, path).parse(valueAt(this.body, path));
    return rows.map((row) => new Reply(this.status, this.headers, row));
  }
}

/** A signed-in user. A request without the expected status throws. */
export type Person = ReturnType<typeof personOf>;

/** Sends a request: `sendTo(address, 'POST /company/product/brand', { token, json })`. */
export function sendTo(
  address: string,
  request: string,
  { token, json, form, text, headers, signal }: RequestContent = {},
): Promise<Response> {
  const [method = 'GET', ...words] = request.split(' ');
  return fetch(`${address}${words.join(' ')}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: form ?? text ?? (json === undefined ? null : JSON.stringify(json)),
    ...(signal && { signal }),
  });
}

/** Reads a response. */
export async function replyOf(response: Response): Promise<Reply> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? JsonValue.parse(await response.json()) : undefined;
  return new Reply(response.status, response.headers, body);
}

/** Signs a user in. */
export async function signInAs(address: string, username: string, password?: string): Promise<Person> {
  return personOf(address, await fetchToken(address, username, password));
}

/** Returns a user's token; the demo accounts share a password. */
export async function fetchToken(
  address: string,
  username: string,
  password = 'Retail-2026',
): Promise<string> {
  const request = 'POST /common/auth/login';
  const reply = await replyOf(await sendTo(address, request, { json: { username, password } }));
  return requireStatus(200, reply).text('token');
}

/** Returns the client of a token's bearer. */
export function personOf(address: string, token: string) {
  const send = async (request: string, body?: object, headers: RequestContent['headers'] = {}) => {
    const sent = body instanceof FormData ? { form: body } : { json: body };
    return replyOf(await sendTo(address, request, { token, headers, ...sent }));
  };
  const call = async (request: string, body?: object, headers?: RequestContent['headers']) =>
    requireStatus(200, await send(request, body, headers));
  return {
    /** Sends a request and returns any response. */
    send,
    /** Sends a request and expects 200. */
    call,
    /** Sends a request and expects an error. */
    expectRefusal: async (status: number, request: string, body?: object) =>
      requireStatus(status, await send(request, body)),
    /** Creates a record and returns its id. */
    make: async (path: string, body: object) => (await call(`POST ${path}`, body)).number('id'),
  };
}

function requireStatus(status: number, reply: Reply): Reply {
  if (reply.status === status) return reply;
  throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
}

const Inner = z.union([
  z.record(z.string(), JsonValue),
  z.array(JsonValue).transform((list): Record<string, Json> => Object.fromEntries(list.entries())),
]);

function valueAt(body: Json, path: string): Json {
  return path.split('.').reduce((value, key) => Inner.parse(value)[key], body);
}
