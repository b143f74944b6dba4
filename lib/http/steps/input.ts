import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Input, Metadata } from '#lib/http/definition/definition.ts';
import { requireReadable } from '#lib/http/wire/charset.ts';
import { ApiError, notFound } from '#lib/values/api-error.ts';
import { fieldsBeyond } from '#lib/values/by-schema.ts';
import { fromQueryString, fromText, nest } from '#lib/values/from-text.ts';
import { addIssues, fieldAt } from '#lib/values/issues.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { isStrict } from './body.ts';
import { isForm } from './form.ts';

const Nothing = z.strictObject({});
const NoFields = z.object({});

/** More unknown fields of a body than anyone needs to be told of. */
const MAX_TOLD = 100;

/**
 * Reads path, query and body and checks them against the operation's schemas. 404 for an impossible path,
 * else 422 with all failing fields at once.
 */
export async function readInput(
  operation: Metadata,
  event: APIGatewayProxyEventV2,
  sent: unknown,
): Promise<Input> {
  const { params, query = Nothing, body } = operation;
  requireReadable(event.rawQueryString);
  const id = idOf(event);
  const path = params?.safeParse(fromText(params, nest(Object.entries(event.pathParameters ?? {}))));
  if (path && !(path.success && areSpelledSo(path.data, event))) throw notFound();
  const [asked, given] = await Promise.all([
    query.safeParseAsync(fromQueryString(query, event.rawQueryString), { reportInput: true }),
    body?.safeParseAsync(sent ?? {}, { reportInput: true }),
  ]);
  const issues = new ValidationIssues();
  if (asked.error) addIssues(issues, query, asked.error.issues);
  if (given?.error) addIssues(issues, body, given.error.issues);
  for (const path of findUnknown(event, operation, sent)) issues.add(fieldAt(path), 'validation.unknown');
  issues.throwIfAny();
  return { id, params: path?.data, query: asked.data, body: given?.data };
}

/**
 * Finds the fields of a body that nobody knows, if the operation is strict. A line may bring its `id` in
 * every edit, a form `_method`. Contract 1, "Unknown fields".
 */
function findUnknown(event: APIGatewayProxyEventV2, operation: Metadata, sent: unknown) {
  if (!isStrict(operation)) return [];
  const hasLineIds = event.requestContext.http.method !== 'POST';
  const paths = fieldsBeyond(operation.body ?? NoFields, sent, { hasLineIds });
  const isOverride = ([name, ...rest]: (typeof paths)[number]) =>
    name === '_method' && rest.length === 0 && isForm(event);
  return paths.filter((path) => !isOverride(path)).slice(0, MAX_TOLD);
}

/** Tells whether numbers of a path are spelled as ids are: `01` is none. */
function areSpelledSo(params: unknown, { pathParameters }: APIGatewayProxyEventV2): boolean {
  return Object.entries(Object(params)).every(
    ([name, value]) => typeof value !== 'number' || String(value) === pathParameters?.[name],
  );
}

function idOf({ pathParameters }: APIGatewayProxyEventV2): number {
  const text = pathParameters?.['model'] ?? pathParameters?.['value'];
  if (text === undefined) return Number.NaN;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw notFound();
  return Number(text);
}

/** Takes `_method` out of the query if it asks for the method that is served. 405 if it asks for another. */
export function withoutOverride(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const query = new URLSearchParams(event.rawQueryString);
  const wanted = query.get('_method');
  if (wanted === null) return event;
  if (wanted.toUpperCase() !== event.requestContext.http.method) throw methodNotAllowed();
  // The others stay as they were sent: what can't be read in them is told later.
  const others = event.rawQueryString.split('&').filter((each) => !new URLSearchParams(each).has('_method'));
  return { ...event, rawQueryString: others.join('&') };
}

/** Makes the 405: the path exists, but without this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError(405, { key: 'http.method_not_allowed' });
}
