import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Route } from '#infra/routes.ts';
import { requireEdge } from '#lib/http/edge.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';
import { listen } from '../cli/listen.ts';
import { runAs } from './calls.ts';
import { clockRoute, type LocalClock } from './clock.ts';
import { CALL_TIME_MS, contextOf, eventOf, pathOf } from './event.ts';
import { bodyOf, corsHeaders, gatewayAnswer, isTooLarge, rejectEarly, routelessAnswer } from './gateway.ts';
import { router } from './router.ts';

export type FileReader = (
  key: string,
) => Promise<{ readonly type: string; readonly content: Uint8Array } | undefined>;

interface Site {
  readonly match: ReturnType<typeof router>;
  readonly readFile: FileReader;
  readonly clock: LocalClock;
}

/** Serves the routes over HTTP as API Gateway and Lambda would, and public files as CloudFront would. */
export function startServer(routes: readonly Route[], readFile: FileReader, clock: LocalClock, port: number) {
  const site = { match: router(routes, [clockRoute(clock)]), readFile, clock };
  const server = createServer((request, response) => {
    const answer = (given: LambdaResponse) => send(response, given, corsHeaders(request));
    serve(site, request, response, answer).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      answer(gatewayAnswer(500, 'Internal Server Error'));
    });
  });
  return listen(server, port);
}

async function serve(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (given: LambdaResponse) => void,
): Promise<void> {
  const at = site.clock.now();
  const method = request.method ?? 'GET';
  const path = pathOf(request);
  const refused = rejectEarly(request);
  if (refused) return answer(refused);
  // CloudFront can't read private files.
  if (method === 'GET' && path.startsWith('/public/')) return sendFile(site, response, path.slice(1));
  const body = await bodyOf(request);
  if (!body) return answer(gatewayAnswer(413, 'Request Entity Too Large'));
  const route = site.match(method, path);
  if (!route) return send(response, routelessAnswer(request), {});
  const { handler, key, pathParameters } = route;
  const event = eventOf(request, body, { key, pathParameters }, at);
  if (isTooLarge(event)) return answer(gatewayAnswer(413, 'Request Entity Too Large'));
  const given = await limitTime(
    CALL_TIME_MS,
    runAs(key, () => requireEdge(handler)(event, contextOf(key, event.requestContext.requestId))),
    () => gatewayAnswer(500, 'Internal Server Error'),
  );
  if (isTooLarge(given)) throw new Error(`${key} answered with more than Lambda lets through`);
  answer({ ...given, headers: { ...given.headers, 'apigw-requestid': event.requestContext.requestId } });
}

async function sendFile({ readFile }: Site, response: ServerResponse, key: string): Promise<void> {
  const file = await readFile(key);
  if (!file) return void response.writeHead(404).end();
  const headers = { 'content-type': file.type, 'access-control-allow-origin': '*' };
  response.writeHead(200, headers).end(file.content);
}

function send(
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded }: LambdaResponse,
  more: Readonly<Record<string, string>>,
): void {
  response.writeHead(statusCode, { ...headers, ...more });
  response.end(isBase64Encoded ? Buffer.from(body, 'base64') : body);
}

/**
 * Returns the result of work, or another once its time is up, as API Gateway does: the function is ended
 * there, and its result is dropped here.
 */
export async function limitTime<T>(milliseconds: number, work: Promise<T>, timedOut: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(timedOut()), milliseconds);
  });
  // A failure after the timeout is ignored.
  work.catch(() => {});
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
