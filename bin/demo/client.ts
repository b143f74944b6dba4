import * as z from 'zod';

/** An answer of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Calls the service as a signed-in user, with JSON or a form. */
export type Client = (
  request: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

const Made = z.object({ id: z.int() });

/** Signs a user in. */
export async function signIn(address: string, username: string, password?: string): Promise<Client> {
  return clientWith(address, await tokenOf(address, username, password));
}

/** Gets a user's token; the demo accounts share a password. */
export async function tokenOf(address: string, username: string, password = 'Retail-2026'): Promise<string> {
  const { body } = await expectReply(200, send(address, 'POST /common/auth/login', { username, password }));
  return z.object({ token: z.string() }).parse(body).token;
}

/** Makes a client that calls as the bearer of a token. */
export function clientWith(address: string, token: string): Client {
  const authorization = `Bearer ${token}`;
  return (request, sent, headers) => send(address, request, sent, { authorization, ...headers });
}

/** Makes a record, and answers with its id. */
export async function make(client: Client, path: string, json: object): Promise<number> {
  return Made.parse((await expectReply(200, client(`POST ${path}`, json))).body).id;
}

/** Awaits an answer that must have this status. */
export async function expectReply(status: number, replying: Promise<Reply>): Promise<Reply> {
  const reply = await replying;
  if (reply.status !== status) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

async function send(
  address: string,
  request: string,
  sent: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const isForm = sent instanceof FormData;
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    body: isForm ? sent : sent === undefined ? null : JSON.stringify(sent),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
