import * as z from 'zod';
import { apiErrorIn } from '#lib/table/transient-errors.ts';
import { ApiError, invalid, KeyReused, NameConflict, StoredSaleError } from '#lib/values/api-error.ts';
import { translateError } from '#lib/values/error-text.ts';
import { type Locale, SUCCESS } from '#lib/values/text.ts';

/** A Lambda function's answer to API Gateway. */
export interface LambdaResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

/** A schema for operations that only confirm: the caller gets `{message}` with the word for success. */
export const Confirmation = z.void();

/** A schema for operations that answer with a file. */
export const FileContent = z.object({
  filename: z.string(),
  type: z.string(),
  content: z.instanceof(Uint8Array),
});

export type FileContent = z.output<typeof FileContent>;

/** A schema for operations that answer with a file, or with its address if it is too large for that. */
export const FileOrLink = z.union([FileContent, z.object({ location: z.url() })]);

/** Makes the schema of an operation that answers with JSON, or with a file if the caller asks for one. */
export function orFile<A extends z.ZodType>(json: A) {
  return z.union([json, FileOrLink]);
}

/** Finds what an operation answers with beside files; undefined for one that gives nothing but files. */
export function jsonIn(answers: z.ZodType): z.ZodType | undefined {
  if (answers === FileContent || answers === FileOrLink) return undefined;
  if (!respondsWithFile(answers) || !(answers instanceof z.ZodUnion)) return answers;
  const [json] = answers.options;
  return json instanceof z.ZodType ? json : undefined;
}

/** Tells whether an operation may answer with a file. */
export function respondsWithFile(answers: z.ZodType): boolean {
  if (answers === FileContent || answers === FileOrLink) return true;
  return answers instanceof z.ZodUnion && answers.options.includes(FileOrLink);
}

/** Makes the 200 answer: an operation's result, as the schema of its answers shows it. */
export function okResponse(answers: z.ZodType, result: unknown, locale: Locale): LambdaResponse {
  const file = respondsWithFile(answers) ? FileOrLink.safeParse(result).data : undefined;
  if (file) return 'location' in file ? redirectAnswer(file.location) : fileAnswer(file);
  return jsonResponse(responseText(answers, result, locale), 200);
}

/** Makes the text of an answer that is no file. */
export function responseText(answers: z.ZodType, result: unknown, locale: Locale): string {
  if (result === undefined) return JSON.stringify({ message: SUCCESS[locale] });
  return JSON.stringify((jsonIn(answers) ?? answers).parse(result));
}

/** Bytes of an answer at most: a function hands over 6 MB, of JSON in which the answer is one more text. */
const MAX_ANSWER_BYTES = 6_000_000;

/** Requires an answer to be short enough to be handed over. 422 with `otherwise` if it is not. */
export function requireResponseSize(
  { body }: LambdaResponse,
  otherwise: Parameters<typeof invalid>[0],
): void {
  // A letter has at most three bytes: what is this short fits, whatever it says.
  if (body.length * 3 <= MAX_ANSWER_BYTES) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= MAX_ANSWER_BYTES) return;
  throw invalid(otherwise);
}

/** Every answer is one caller's, and nobody may take it for anything but what it says it is. */
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Makes an answer of a text that is JSON. */
export function jsonResponse(body: string, statusCode: number): LambdaResponse {
  const headers = { ...PRIVATE, 'content-type': 'application/json; charset=utf-8' };
  return { statusCode, headers, body };
}

function redirectAnswer(location: string): LambdaResponse {
  return { statusCode: 302, headers: { ...PRIVATE, location }, body: '' };
}

// A file is saved, never shown as a page of ours, whatever it contains.
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

/**
 * Makes the answer of a refusal: `{message, code}`, for wrong fields with `errors` and `codes` too. Part 1,
 * "Errors"; Contract 1, "Machine codes".
 */
export function errorResponse(refusal: ApiError, locale: Locale): LambdaResponse {
  const { status, retryAfter } = refusal;
  const holders = refusal instanceof NameConflict && { holders: refusal.holders };
  const kept = refusal instanceof StoredSaleError && { refused_id: refusal.refusedId };
  const reused = refusal instanceof KeyReused && refusal.ids;
  const told = { ...translateError(locale, refusal), ...holders, ...kept, ...reused };
  const answer = jsonResponse(JSON.stringify(told), status);
  if (retryAfter !== undefined) answer.headers['retry-after'] = String(retryAfter);
  // RFC 9110, 15.5.2; Contract 9.132.
  if (status === 401) answer.headers['www-authenticate'] = 'Bearer';
  return answer;
}

/** Makes the refusal for an error: a refusal as it is, 503 if the table is busy, 500 for a defect. */
export function toApiError(error: unknown): ApiError {
  return apiErrorIn(error) ?? new ApiError(500, { key: 'http.internal' });
}
