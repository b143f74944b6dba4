import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { nest } from '#lib/values/brackets.ts';
import { fromQueryString, fromText } from '#lib/values/from-text.ts';
import { missing, Refusal } from '#lib/values/refusal.ts';
import { setting } from '#lib/values/setting.ts';
import type { Right } from './authorize.ts';
import { movesGoodsOrMoney } from './moving.ts';
import { faultsIn, refusalOf } from './problems.ts';
import { unknownFields } from './unknown-fields.ts';

/** The schemas of an operation's input; it takes nothing that they don't name. */
export interface InputSchemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}

/** The input of an operation, as its schemas leave it. */
export interface Input {
  /** The `{model}` or `{value}` in the path; NaN for a path without one. */
  readonly id: number;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** An operation, as far as it decides what may be sent. */
export interface Receiving extends InputSchemas {
  readonly right: Right;
}

const Nothing = z.strictObject({});
const NoFields = z.object({});

/** More unknown fields of a body than anyone needs to be told of. */
const MOST_TOLD = 100;

/**
 * Reads and checks path, query and body. 404 for an impossible path, else 422 with all failing fields at
 * once.
 */
export async function readInput(
  event: APIGatewayProxyEventV2,
  operation: Receiving,
  sent: unknown,
): Promise<Input> {
  const { params, query = Nothing, body } = operation;
  const id = idOf(event);
  const path = params?.safeParse(fromText(params, nest(Object.entries(event.pathParameters ?? {}))));
  if (path && !path.success) throw missing();
  const [asked, given] = await Promise.all([
    query.safeParseAsync(fromQueryString(query, event.rawQueryString), { reportInput: true }),
    body?.safeParseAsync(sent ?? {}, { reportInput: true }),
  ]);
  const unknown = unknownIn(event, operation, sent);
  if (!asked.success || given?.success === false || unknown.length > 0) {
    throw refusalOf([
      ...faultsIn(query, asked.error?.issues),
      ...faultsIn(body, given?.error?.issues),
      ...unknown.map((path) => [path, { key: 'validation.unknown' }] as const),
    ]);
  }
  return { id, params: path?.data, query: asked.data, body: given?.data };
}

/**
 * Finds the fields of a body that nobody knows, if goods or money move. A line may bring its `id` in every
 * edit, a form `_method`. Decisions, 1, "Unknown fields".
 */
function unknownIn(event: APIGatewayProxyEventV2, operation: Receiving, sent: unknown) {
  if (!movesGoodsOrMoney(operation)) return [];
  const hasLineIds = event.requestContext.http.method !== 'POST';
  const paths = unknownFields(operation.body ?? NoFields, sent, { hasLineIds });
  const isOverride = ([name, ...rest]: (typeof paths)[number]) =>
    name === '_method' && rest.length === 0 && isForm(event);
  return paths.filter((path) => !isOverride(path)).slice(0, MOST_TOLD);
}

/** Tells whether a body is a multipart form. */
export function isForm({ headers }: APIGatewayProxyEventV2): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

function idOf({ pathParameters }: APIGatewayProxyEventV2): number {
  const text = pathParameters?.['model'] ?? pathParameters?.['value'];
  if (text === undefined) return Number.NaN;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw missing();
  return Number(text);
}

/**
 * Gives the address that was called, under the service's own name, whatever name the caller gave. API Gateway
 * hands over the path decoded.
 */
export function urlOf({ rawPath, rawQueryString }: APIGatewayProxyEventV2): URL {
  const path = rawPath.split('/').map(encodeURIComponent).join('/');
  return new URL(`${setting('ADDRESS')}${path}${rawQueryString && `?${rawQueryString}`}`);
}

/**
 * Takes `_method` out of an event once it has been heeded. 405 if it asks for another method than the one
 * served.
 */
export function heedMethodOverride(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const query = new URLSearchParams(event.rawQueryString);
  const wanted = query.get('_method');
  if (wanted === null) return event;
  if (wanted.toUpperCase() !== event.requestContext.http.method) throw methodNotAllowed();
  query.delete('_method');
  return { ...event, rawQueryString: query.toString() };
}

/** Makes the 405: the path exists, but without this method. */
export function methodNotAllowed(): Refusal {
  return new Refusal(405, { key: 'http.method_not_allowed' });
}
