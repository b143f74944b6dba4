import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CORS } from '#infra/cors.ts';
import type { Route } from '#infra/routes.ts';
import type { Answer } from '#lib/http/answer.ts';
import { entrance } from '#lib/http/entrance.ts';
import { refuseEvent } from '#lib/http/unserved.ts';
import { Refusal, unavailable } from '#lib/values/refusal.ts';
import { clockRoute, type LocalClock } from './clock.ts';
import { CALL_TIME_MS, contextOf, eventOf } from './event.ts';
import { router } from './router.ts';
import { within } from './within.ts';

/** Lambda takes and gives 6 MB a call, the event around a body included. */
const PAYLOAD_LIMIT = 6 * 1024 * 1024;

export type FileReader = (
  key: string,
) => Promise<{ readonly type: string; readonly content: Uint8Array } | undefined>;

/**
 * Serves the routes over HTTP as API Gateway and Lambda would, and public files as the content network would.
 */
export async function startServer(
  routes: readonly Route[],
  readFile: FileReader,
  clock: LocalClock,
  port: number,
): Promise<Server> {
  const match = router(routes, [clockRoute(clock)]);
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      response.writeHead(500).end();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = clock.now();
    const method = request.method ?? 'GET';
    const path = pathOf(request);
    if (method === 'OPTIONS') return send(response, { statusCode: 204, headers: CORS_PREFLIGHT, body: '' });
    // The content network can't read what is not public.
    if (method === 'GET' && path.startsWith('/public/')) return sendFile(response, path.slice(1));
    const body = await bodyOf(request);
    const { handler, key, pathParameters } = match(method, path);
    const event = eventOf(request, body, { key, pathParameters }, at);
    const answer = isTooLarge(event)
      ? refuseEvent(event, new Refusal(413, { key: 'http.too_large' }))
      : await within(
          CALL_TIME_MS,
          entrance(handler)(event, contextOf(key, event.requestContext.requestId)),
          () => refuseEvent(event, unavailable()),
        );
    if (isTooLarge(answer)) throw new Error(`${key} answered with more than Lambda lets through`);
    send(response, answer);
  }

  async function sendFile(response: ServerResponse, key: string): Promise<void> {
    const file = await readFile(key);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type, ...CORS_HEADERS }).end(file.content);
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const CORS_HEADERS = {
  'access-control-allow-origin': CORS.allowOrigins.join(','),
  'access-control-expose-headers': CORS.exposeHeaders.join(','),
};

const CORS_PREFLIGHT = {
  ...CORS_HEADERS,
  'access-control-allow-methods': CORS.allowMethods.join(','),
  'access-control-allow-headers': CORS.allowHeaders.join(','),
  'access-control-max-age': String(CORS.maxAgeSeconds),
};

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function isTooLarge(payload: object): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_LIMIT;
}

function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: Answer): void {
  response.writeHead(statusCode, { ...headers, ...CORS_HEADERS });
  response.end(isBase64Encoded ? Buffer.from(body, 'base64') : body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // A body over the limit is read to its end, so that the caller gets the answer, but it is not kept.
    if (size <= PAYLOAD_LIMIT) chunks.push(chunk);
  }
  return size <= PAYLOAD_LIMIT ? Buffer.concat(chunks) : Buffer.alloc(PAYLOAD_LIMIT);
}
