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

/** Limit of reported unknown fields. */
const MAX_REPORTED = 100;

/**
 * Validates path, query and body against the operation's schemas. 404 for an impossible path, else 422 with
 * all failing fields at once.
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
  if (path && !(path.success && areCanonical(path.data, event))) throw notFound();
  const [queryResult, bodyResult] = await Promise.all([
    query.safeParseAsync(fromQueryString(query, event.rawQueryString), { reportInput: true }),
    body?.safeParseAsync(sent ?? {}, { reportInput: true }),
  ]);
  const issues = new ValidationIssues();
  if (queryResult.error) addIssues(issues, query, queryResult.error.issues);
  if (bodyResult?.error) addIssues(issues, body, bodyResult.error.issues);
  for (const path of findUnknown(event, operation, sent)) issues.add(fieldAt(path), 'validation.unknown');
  issues.throwIfAny();
  return { id, params: path?.data, query: queryResult.data, body: bodyResult?.data };
}

/**
 * Returns the unknown fields of a body, if the operation is strict. A line may have its `id` in every edit, a
 * form `_method`. Contract 1, "Unknown fields".
 */
function findUnknown(event: APIGatewayProxyEventV2, operation: Metadata, sent: unknown) {
  if (!isStrict(operation)) return [];
  const hasLineIds = event.requestContext.http.method !== 'POST';
  const paths = fieldsBeyond(operation.body ?? NoFields, sent, { hasLineIds });
  const isOverride = ([name, ...rest]: (typeof paths)[number]) =>
    name === '_method' && rest.length === 0 && isForm(event);
  return paths.filter((path) => !isOverride(path)).slice(0, MAX_REPORTED);
}

/** Returns true if the numbers of a path are canonical: `01` is not. */
function areCanonical(params: unknown, { pathParameters }: APIGatewayProxyEventV2): boolean {
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

/** Removes `_method` from the query if it matches the served method. 405 if it doesn't. */
export function withoutOverride(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const query = new URLSearchParams(event.rawQueryString);
  const override = query.get('_method');
  if (override === null) return event;
  if (override.toUpperCase() !== event.requestContext.http.method) throw methodNotAllowed();
  // Other parameters are left as sent: malformed ones are reported later.
  const others = event.rawQueryString.split('&').filter((each) => !new URLSearchParams(each).has('_method'));
  return { ...event, rawQueryString: others.join('&') };
}

/** Returns a 405: the path exists, but without this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError(405, { key: 'http.method_not_allowed' });
}
