import * as z from 'zod';
import { PAGE_POLICY, PrintablePage, PrintedPage } from '#lib/printing/page.ts';
import { apiErrorIn } from '#lib/table/transient-errors.ts';
import {
  ApiError,
  Forbidden,
  invalid,
  KeyReused,
  NameConflict,
  StoredSaleError,
} from '#lib/values/api-error.ts';
import { costHiderOf } from '#lib/values/cost.ts';
import { translateError, withCostsHidden } from '#lib/values/error-text.ts';
import { type Locale, SUCCESS } from '#lib/values/text.ts';

/** A Lambda function's response to API Gateway. */
export interface LambdaResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

/**
 * Response schema of operations that only confirm: the caller gets `{message}` with the message of success.
 */
export const Confirmation = z.void();

/** Response schema of operations that return a file. */
export const FileContent = z.object({
  filename: z.string(),
  type: z.string(),
  content: z.instanceof(Uint8Array),
});

export type FileContent = z.output<typeof FileContent>;

/** Response schema of operations that return a file, or its URL if it is too large. */
export const FileOrLink = z.union([FileContent, z.object({ location: z.url() })]);

/** Returns the response schema of an operation that returns JSON, or a file on request. */
export function orFile<A extends z.ZodType>(json: A) {
  return z.union([json, FileOrLink]);
}

/** Returns the response schema of an operation that returns JSON, or a file or a page to print on request. */
export function orFileOrPage<A extends z.ZodType>(json: A) {
  return z.union([json, FileOrLink, PrintablePage]);
}

/** Response schema of operations that return a file, or a page to print on request. */
export const FileOrPage = z.union([FileContent, PrintablePage]);

/** Schemas of responses that are not JSON. */
const NOT_JSON: ReadonlySet<unknown> = new Set([FileContent, FileOrLink, PrintablePage]);

/** Returns the JSON part of a response schema; undefined for an operation that returns none. */
export function jsonIn(answers: z.ZodType): z.ZodType | undefined {
  return alternativesIn(answers).find((schema) => !NOT_JSON.has(schema));
}

/** Returns true if an operation may return a file. */
export function respondsWithFile(answers: z.ZodType): boolean {
  return alternativesIn(answers).some((schema) => schema === FileContent || schema === FileOrLink);
}

/** Returns true if an operation may return a page to print. */
export function respondsWithPage(answers: z.ZodType): boolean {
  return alternativesIn(answers).includes(PrintablePage);
}

/** Returns the schemas that a response has one of: a union of JSON alone is one. */
function alternativesIn(answers: z.ZodType): readonly z.ZodType[] {
  if (NOT_JSON.has(answers) || !(answers instanceof z.ZodUnion)) return [answers];
  const schemas = answers.options.filter((schema) => schema instanceof z.ZodType);
  return schemas.some((schema) => NOT_JSON.has(schema)) ? schemas : [answers];
}

/** Returns the 200 response: an operation's result, rendered by its response schema. */
export function okResponse(answers: z.ZodType, result: unknown, locale: Locale): LambdaResponse {
  if (result instanceof PrintedPage) return pageAnswer(result);
  const file = respondsWithFile(answers) ? FileOrLink.safeParse(result).data : undefined;
  if (file) return 'location' in file ? redirectAnswer(file.location) : fileAnswer(file);
  return jsonResponse(responseText(answers, result, locale), 200);
}

/** Renders a response other than a file. */
export function responseText(answers: z.ZodType, result: unknown, locale: Locale): string {
  if (result === undefined) return JSON.stringify({ message: SUCCESS[locale] });
  return JSON.stringify((jsonIn(answers) ?? answers).parse(result));
}

/**
 * Empties the fields of a response that reveal costs, for callers without the right to see them: also of one
 * that was saved while its caller had the right. Part 5, 5A.13.
 */
export function hideCosts(answers: z.ZodType, response: LambdaResponse): LambdaResponse {
  const hide = costHiderOf(jsonIn(answers) ?? answers);
  if (!hide || response.headers['content-type'] !== JSON_TYPE) return response;
  return { ...response, body: JSON.stringify(hide(JSON.parse(response.body))) };
}

/** Maximum bytes of a response: Lambda's limit is 6 MB of JSON, in which the body is an escaped string. */
const MAX_ANSWER_BYTES = 6_000_000;

/** Requires a body within Lambda's limit. 422 with `otherwise` if it is too large. */
export function requireResponseSize(
  { body }: LambdaResponse,
  otherwise: Parameters<typeof invalid>[0],
): void {
  // A UTF-16 unit takes at most three bytes, so a body this short always fits.
  if (body.length * 3 <= MAX_ANSWER_BYTES) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= MAX_ANSWER_BYTES) return;
  throw invalid(otherwise);
}

/** Every response is private to one caller, and must not be sniffed for another content type. */
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns a response with a JSON text. */
export function jsonResponse(body: string, statusCode: number): LambdaResponse {
  const headers = { ...PRIVATE, 'content-type': JSON_TYPE };
  return { statusCode, headers, body };
}

function redirectAnswer(location: string): LambdaResponse {
  return { statusCode: 302, headers: { ...PRIVATE, location }, body: '' };
}

// A file is always downloaded, never displayed as a page of this origin: its content is not trusted.
function fileAnswer({ filename, type, content }: FileContent): LambdaResponse {
  return {
    statusCode: 200,
    headers: {
      ...PRIVATE,
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    },
    body: Buffer.from(content).toString('base64'),
    isBase64Encoded: true,
  };
}

function pageAnswer(page: PrintedPage): LambdaResponse {
  return {
    statusCode: 200,
    headers: {
      ...PRIVATE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    },
    body: page.html,
  };
}

/**
 * Returns the response of an API error: `{message, code}`, for invalid fields also `errors` and `codes`;
 * without costs for a caller who may not see them. Part 1, "Errors"; Contract 1, "Machine codes".
 */
export function errorResponse(
  refusal: ApiError,
  locale: Locale,
  { hidesCosts = false } = {},
): LambdaResponse {
  const { status, retryAfter } = refusal;
  const holders = refusal instanceof NameConflict && { holders: refusal.holders };
  const refused = refusal instanceof StoredSaleError && { refused_id: refusal.refusedId };
  const reused = refusal instanceof KeyReused && refusal.ids;
  const right = refusal instanceof Forbidden && { right: refusal.right };
  const shown = hidesCosts ? withCostsHidden(refusal) : refusal;
  const fields = { ...translateError(locale, shown), ...holders, ...refused, ...reused, ...right };
  const answer = jsonResponse(JSON.stringify(fields), status);
  if (retryAfter !== undefined) answer.headers['retry-after'] = String(retryAfter);
  // RFC 9110, 15.5.2; Contract 9.132.
  if (status === 401) answer.headers['www-authenticate'] = 'Bearer';
  return answer;
}

/** Returns the API error for an error: itself, 503 if the table was unavailable, 500 for a defect. */
export function toApiError(error: unknown): ApiError {
  return apiErrorIn(error) ?? new ApiError(500, { key: 'http.internal' });
}
