import * as z from 'zod';

/** Calls the service as a signed-in user, and answers with the status and the JSON. */
export type Client = (request: string, json?: object) => Promise<{ status: number; body: unknown }>;

const Made = z.object({ id: z.int() });

/** Signs a demo account in. */
export async function signIn(address: string, username: string): Promise<Client> {
  const headers = { 'content-type': 'application/json', authorization: '' };
  const client: Client = async (request, json) => {
    const [method = 'GET', path = '/'] = request.split(' ');
    const body = json === undefined ? null : JSON.stringify(json);
    const response = await fetch(`${address}${path}`, { method, headers, body });
    return { status: response.status, body: await response.json() };
  };
  const { body } = await client('POST /common/auth/login', { username, password: 'Retail-2026' });
  headers.authorization = `Bearer ${z.object({ token: z.string() }).parse(body).token}`;
  return client;
}

/** Makes a record, and answers with its id. */
export async function make(client: Client, path: string, json: object): Promise<number> {
  const { status, body } = await client(`POST ${path}`, json);
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  return Made.parse(body).id;
}
