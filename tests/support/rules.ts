import { afterAll, afterEach } from 'vitest';
import * as z from 'zod';
import { isErrorCode, paramsOfCode } from '#lib/values/message.ts';
import { placeholdersOf } from '#lib/values/text.ts';
import { catalogueOf } from '#lib/values/texts.ts';
import { type RecordedTestCall, takeRecordedCalls } from './call-recorder.ts';
import { requireListedRights } from './listed-rights.ts';
import { recordNoted } from './recording.ts';
import { requireReplay } from './replay.ts';

/*
 * Rules for every call of every test, with no code in the test files: vitest loads this before each. Calls
 * are checked when their test is over, so that a test sends only its own requests. Calls made before the
 * first test are checked with it.
 */
afterEach(judgeCalls);
afterAll(judgeCalls);

async function judgeCalls(): Promise<void> {
  for (const call of takeRecordedCalls()) {
    requireCodes(call);
    requireTexts(call);
    requireListedRights(call);
    requireTag(call);
    await requireReplay(call);
    recordNoted(call);
  }
}

/** Params that are texts; all others are numbers. */
const IN_WORDS = ['name', 'currency', 'values', 'area', 'right'];
const Params = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .refine((params) =>
    Object.entries(params).every(([name, value]) => (typeof value === 'string') === IN_WORDS.includes(name)),
  );

const RefusalKey = z.string().refine(isErrorCode);
const Refused = z.strictObject({
  message: z.string(),
  code: RefusalKey,
  refused_id: z.int().optional(),
});
const BrokenRule = Refused.extend({ params: Params }).refine(({ code, params }) => isOfCode(params, code));
const LackOfRight = Refused.extend({ right: z.string().nullable() });
/** A 409 on a reused key of a sale names the sale that has it, or the refused one. Contract 9.101. */
const Reused = z
  .strictObject({
    message: z.string(),
    code: z.literal('sale.key_reused'),
    sale_id: z.int().nullable(),
    refused_id: z.int().nullable(),
  })
  .refine(({ sale_id, refused_id }) => (sale_id === null) !== (refused_id === null));
const Wrong = Refused.extend({
  errors: z.record(z.string(), z.array(z.string()).min(1)),
  codes: z.record(z.string(), z.array(RefusalKey).min(1)),
  params: z.record(z.string(), z.array(Params).min(1)),
  holders: z.record(z.string(), z.strictObject({ id: z.int(), is_deleted: z.boolean() })).optional(),
});

function answersOf(status: number, body: unknown) {
  if (status === 422) return Wrong;
  if (status === 400) return BrokenRule;
  if (status === 403) return LackOfRight;
  return Object(body).code === 'sale.key_reused' ? Reused : Refused;
}

/**
 * Returns true if params are those that the texts of a code show, or its text without costs. Part 5, 5B.4 and
 * 5A.13.
 */
function isOfCode(params: object, code: string): boolean {
  const names = Object.keys(params).filter((name) => name !== 'right');
  if (!isErrorCode(code)) return false;
  const hidden = Object.entries(catalogueOf('messages', 'ru')).filter(([key]) => key === `${code}/hidden`);
  const shown = [paramsOfCode(code), ...hidden.map(([_, text]) => placeholdersOf(text))];
  return shown.some((each) => names.toSorted().join() === each.toSorted().join());
}

/**
 * Throws if a refusal lacks its code, or a 422 a code and params for each of its texts, or a 400 its params.
 * Contract 1, "Machine codes"; Part 5, 5B.4.
 */
export function requireCodes({ request, reply: { status, body } }: RecordedTestCall): void {
  // API Gateway itself rejects an oversized request, with a body of its own format.
  if (body === undefined || status < 400 || status === 413) return;
  const told = answersOf(status, body).safeParse(body);
  if (!told.success) throw new Error(`${request} is refused by ${status} without its code: ${told.error}`);
  if (!('codes' in told.data)) return;
  const { code, codes, errors, params } = Wrong.parse(told.data);
  const paths = Object.keys(errors).join();
  const isWhole = Object.entries(codes).every(
    ([path, its]) =>
      its.length === errors[path]?.length &&
      its.length === params[path]?.length &&
      its.every((each, index) => isOfCode(params[path]?.[index] ?? {}, each)),
  );
  const [first] = Object.values(codes)[0] ?? [];
  const isParallel = [codes, params].every((each) => Object.keys(each).join() === paths);
  if (isWhole && isParallel && first === code) return;
  throw new Error(
    `${request} is refused with codes that are not those of its errors: ${JSON.stringify(body)}`,
  );
}

/** Throws if a text of a refusal ends twice, or lists nothing. */
export function requireTexts({ request, reply: { status, body } }: RecordedTestCall): void {
  if (body === undefined || status < 400) return;
  const { message, errors } = Object(body);
  const wrong = [message, ...Object.values(Object(errors)).flat()].filter((text) =>
    /(?<!\.)\.\.(?!\.)|:\s*\.$/.test(String(text)),
  );
  if (wrong.length > 0) throw new Error(`${request} is refused by ${JSON.stringify(wrong)}`);
}

/** Throws if a response with one record lacks the tag of its version. Contract 1, "Concurrent edits". */
export function requireTag({ request, reply: { status, headers, body } }: RecordedTestCall): void {
  const isRecord = /^GET [^?]+\/\d+(\?|$)/.test(request) && body !== undefined && status === 200;
  if (!isRecord || /^"\d+"$/.test(headers.get('etag') ?? '')) return;
  throw new Error(`${request} answers without an ETag`);
}
