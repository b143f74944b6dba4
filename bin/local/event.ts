import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { WORK_S } from '#infra/queue-limits.ts';

/**
 * Content types that API Gateway passes as text; others are passed in base64, as are invalid texts here: AWS
 * does not document these.
 */
const TEXT = /^(text\/|application\/(json|xml|javascript|[\w.-]+\+(json|xml)))/;

/** Headers of a single connection, which end at the gateway. */
const OF_CONNECTION = /^(connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

/** Name of the host behind which functions run: callers never see it. */
const HOST = 'local.execute-api.us-east-1.amazonaws.com';

/** Headers that the gateway adds to every request. */
const FORWARDED = { host: HOST, 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' };
const GATEWAY = {
  ...{ accountId: '000000000000', apiId: 'local', stage: '$default' },
  ...{ domainName: HOST, domainPrefix: 'local' },
};

/**
 * Builds the event of API Gateway's HTTP API (payload format 2.0) for a request: the path decoded, repeated
 * headers and query keys joined by commas, cookies apart from the headers.
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

/** Returns a request's decoded path, as API Gateway matches and passes it. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads headers as sent: Node would drop some that are repeated. */
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

/** Longest run of a deployed worker on a batch. */
export const WORK_TIME_MS = WORK_S * 1000;

/** Timeout of a deployed function on a request. */
export const CALL_TIME_MS = 29_000;

/** Builds the context that Lambda passes with an event. */
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
