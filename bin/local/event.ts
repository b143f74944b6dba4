import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { WORK_S } from '#infra/queue-limits.ts';

/**
 * Content types that API Gateway hands over as text; it hands over any other in base64, as is done here with
 * what is no text: AWS doesn't say what becomes of that.
 */
const TEXT = /^(text\/|application\/(json|xml|javascript|[\w.-]+\+(json|xml)))/;

/** Headers of one connection alone: they end at the gateway. */
const OF_CONNECTION = /^(connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** Names the host behind which functions are: no caller knows it. */
const HOST = 'local.execute-api.us-east-1.amazonaws.com';

/** What the gateway adds to the headers of every request, and what it says of itself. */
const FORWARDED = { host: HOST, 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' };
const GATEWAY = {
  ...{ accountId: '000000000000', apiId: 'local', stage: '$default' },
  ...{ domainName: HOST, domainPrefix: 'local' },
};

/**
 * Makes the event that API Gateway's HTTP API (payload format 2.0) would make of a request: the path
 * decoded, repeated headers and query keys joinByName by commas, cookies apart from the headers.
 */
export function eventOf(
  request: IncomingMessage,
  body: Buffer,
  route: { readonly key: string; readonly pathParameters: Readonly<Record<string, string>> },
  at: number,
): APIGatewayProxyEventV2 {
  const rawPath = pathOf(request);
  const [, rawQueryString = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const { cookie, ...headers } = headersOf(request);
  const cookies = cookie?.split(/;\s*|,/).filter(Boolean);
  const query = [...new URLSearchParams(rawQueryString)];
  const isText = TEXT.test(headers['content-type'] ?? 'text/plain') && isUtf8(body);
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: { ...headers, ...FORWARDED, 'x-forwarded-for': sourceIp },
    ...(query.length > 0 && { queryStringParameters: joinByName(query) }),
    requestContext: {
      ...GATEWAY,
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: route.key,
      time: new Date(at).toISOString(),
      timeEpoch: at,
    },
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: { ...route.pathParameters } }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Gives a request's path decoded, as API Gateway looks for its route and hands it over. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads headers as they were sent: Node would leave out some that come twice. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
  );
  return joinByName(pairs.filter(([name]) => !OF_CONNECTION.test(name)));
}

/** Joins the values of one name by commas. */
function joinByName(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, found]) => [name, found.map(([, value]) => value).join(',')]),
  );
}

/** How long a deployed worker may take over a batch. */
export const WORK_TIME_MS = WORK_S * 1000;

/** How long a deployed function may take over a call. */
export const CALL_TIME_MS = 29_000;

/** Makes the context that Lambda would hand over with an event. */
export function contextOf(functionName: string, requestId: string, timeoutMs = CALL_TIME_MS): Context {
  const deadline = Date.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
