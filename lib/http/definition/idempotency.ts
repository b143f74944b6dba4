import { createHmac } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { jsonResponse, type LambdaResponse } from '#lib/http/wire/response.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem, getSettled } from '#lib/table/read/get.ts';
import { ApiError, invalid } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';

/**
 * The write of an operation's answer, for repetitions; it belongs in the transaction of the change. None if
 * no key was sent.
 */
export type SaveResponse = (answer: unknown) => Write[];

/** An answer to what was done before, as the operation itself finds it: it is marked as a repetition. */
export class ReplayedResponse<T> {
  readonly answer: T;

  constructor(answer: T) {
    this.answer = answer;
  }
}

/** Marks the answer to a repetition. */
export function markReplayed(answer: LambdaResponse): LambdaResponse {
  answer.headers['idempotent-replayed'] = 'true';
  return answer;
}

/** More than an item may hold beside the rest of what a key keeps. */
const MAX_BYTES = 370_000;

const Told = z.object({ id: z.int() });

/** Answers that tell one document, or a list of them. */
const Telling = z.union([
  Told.transform(({ id }) => [id]),
  z.object({ data: z.array(Told) }).transform(({ data }) => data.map(({ id }) => id)),
]);

/**
 * What a key keeps of an answer: its very text, so that it comes back byte for byte, or the ids of the
 * documents that it tells, if it is too large.
 */
const RememberedAnswer = z.union([z.object({ text: z.string() }), z.object({ documents: z.array(z.int()) })]);

export type SavedResponse = z.output<typeof RememberedAnswer>;

/** A call that may be the repetition of an earlier one, by its `Idempotency-Key`. */
export interface IdempotentCall {
  readonly saveResponse: SaveResponse;
  /** What was remembered last: the answer and its text. */
  remembered?: { readonly answer: unknown; readonly text: string };
  /** Reads the answer to the first call, if there was one. 409 if that had another body. */
  recall(): Promise<SavedResponse | undefined>;
  /**
   * Reads it once no transaction is under way on it: for a call that has failed, maybe as it saw what the
   * first one has done. Two read units for each 4 KB of the answer, and only then.
   */
  recallSettled(): Promise<SavedResponse | undefined>;
}

const KEPT_S = 86_400;

const Kept = z.object({ request: z.string(), expires_at: z.number() }).and(RememberedAnswer);

/**
 * Makes the repetition that a user's call may be; undefined without a key. `responseText` makes the text that
 * is kept. Contract 1, "Idempotency-Key". 422 for an invalid key.
 */
export function idempotentCallOf(
  event: APIGatewayProxyEventV2,
  user: number,
  textOfAnswer: (answer: unknown) => string,
): IdempotentCall | undefined {
  const name = event.headers['idempotency-key'];
  if (name === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) throw invalid({ 'Idempotency-Key': 'validation.wrong_format' });
  const key: Key = { pk: `idempotency#user-${user}`, sk: name };
  const request = fingerprint(event);
  const now = Math.floor(event.requestContext.timeEpoch / 1000);
  const isNew = {
    // The table may be late in removing what has expired.
    if: any([absent('pk'), lessThan('expires_at', now)]),
    otherwise: new ApiError(409, { key: 'idempotency.still_running' }),
  };
  const answerIn = (item: Item | undefined) => {
    const kept = Kept.safeParse(item).data;
    if (!kept || kept.expires_at < now) return undefined;
    if (kept.request !== request) throw new ApiError(409, { key: 'idempotency.key_reused' });
    return kept;
  };
  const repetition: IdempotentCall = {
    saveResponse: (answer) => {
      const text = textOfAnswer(answer);
      repetition.remembered = { answer, text };
      return [put(key, { request, ...toRemember(answer, text), expires_at: now + KEPT_S }, isNew)];
    },
    recall: async () => answerIn(await getItem(key)),
    recallSettled: async () => {
      const [item] = await getSettled([key]);
      return answerIn(item);
    },
  };
  return repetition;
}

/**
 * Makes what is to be kept of an answer. Of one that is too large it is the ids of the documents that it
 * tells; the operation then reads those again, and so must say how (`reread`). Contract 1, "Idempotency-Key".
 */
function toRemember(answer: unknown, text: string): SavedResponse {
  const documents = Telling.safeParse(answer).data;
  return documents && Buffer.byteLength(text) > MAX_BYTES ? { documents } : { text };
}

/** How an operation is run, and how the documents that its answer told are read again. */
interface Work {
  readonly run: (saveResponse: SaveResponse) => Promise<LambdaResponse>;
  readonly reread: (documents: readonly number[]) => Promise<LambdaResponse>;
}

/**
 * Runs an operation, unless its answer is kept. A repetition that came while the first call was running fails
 * in some way once that has ended, or while its change is seen and its answer not yet: it is
 * given the kept answer too.
 */
export async function runOnce(
  repetition: IdempotentCall | undefined,
  kept: SavedResponse | undefined,
  { run, reread }: Work,
): Promise<LambdaResponse> {
  const replay = async (remembered: SavedResponse) => {
    const isWhole = 'text' in remembered;
    return markReplayed(isWhole ? jsonResponse(remembered.text, 200) : await reread(remembered.documents));
  };
  if (kept) return replay(kept);
  try {
    return await run(repetition?.saveResponse ?? (() => []));
  } catch (error) {
    const answered = await repetition?.recallSettled();
    if (!answered) throw error;
    return replay(answered);
  }
}

/**
 * Makes what tells a call from another with the same key. It is made with a secret: a body may hold the
 * number of a card, which whoever read the table could find by trying out all of them. Contract 6.
 */
function fingerprint({ requestContext, rawPath, rawQueryString, body = '' }: APIGatewayProxyEventV2): string {
  const { method } = requestContext.http;
  return createHmac('sha256', requireEnv('TOKEN_SECRET'))
    .update(`${method} ${rawPath}?${rawQueryString}\n${body}`)
    .digest('base64url');
}
