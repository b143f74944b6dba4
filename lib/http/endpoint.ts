import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { impersonatedBy } from '#lib/access/impersonation.ts';
import type { Limit } from '#lib/access/throttle.ts';
import type { CallContext } from '#lib/http/steps/call-context.ts';
import { caller } from '#lib/http/steps/caller.ts';
import { errorAnswers } from '#lib/http/steps/error-answers.ts';
import { formBody } from '#lib/http/steps/form-body.ts';
import { input } from '#lib/http/steps/input.ts';
import { jsonBody } from '#lib/http/steps/json-body.ts';
import { limits } from '#lib/http/steps/limits.ts';
import { methodOverride } from '#lib/http/steps/method-override.ts';
import { requestLog } from '#lib/http/steps/request-log.ts';
import { tagOf, withPrecondition } from '#lib/records/precondition.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { metered, newMeter } from '#lib/table/meter.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Answer, answerWith } from './answer.ts';
import type { CallerWith, Right } from './authorize.ts';
import type { Figure } from './figures.ts';
import { localeOf } from './locale.ts';
import { type Remember, runOnce } from './repetition.ts';
import { type Input, type InputSchemas, urlOf } from './request.ts';

/**
 * A resource that a route uses beside the table; its role allows these and nothing more. A GET only reads the
 * table: one that changes what it shows names `table:write`.
 */
export type Resource = 'table:write' | FileUse | 'gateway' | `queue:${string}`;

/** Files of one folder of the bucket. */
export type FileUse = `${'public' | 'exports' | 'incoming'}:${'read' | 'write' | 'remove'}`;

/** The arguments of an operation. */
export interface Call<R extends Right, B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType> {
  readonly actor: CallerWith<R>;
  /** The `{model}` or `{value}` in the path; NaN for a path without one. */
  readonly id: number;
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  readonly at: Instant;
  /** The language of the answer. */
  readonly locale: Locale;
  /**
   * Keeps the answer for repetitions of the call: its write belongs in the transaction of an `idempotent`
   * operation.
   */
  readonly remember: Remember;
  /** The address of the caller. */
  readonly ip: string;
  /** The called address, for links. */
  readonly url: URL;
}

/** An operation, as its page in the contract describes it. */
export interface Definition<
  R extends Right,
  A extends z.ZodType,
  B extends z.ZodType,
  Q extends z.ZodType,
  P extends z.ZodType,
> extends InputSchemas {
  readonly right: R;
  /** Another right that opens the operation too. */
  readonly orRight?: R;
  /** Set if staff of a company that is deleted or blocked may call it too. */
  readonly evenInactive?: true;
  /** Set if files come with the body, which is JSON otherwise; the reference says so. */
  readonly accepts?: 'multipart';
  /** Heeds `Idempotency-Key`; set if goods or money move. */
  readonly idempotent?: true;
  /**
   * How often one user may call, whatever the outcome: 429 beyond. If the operation counts by itself, only
   * the reference and the tests read it.
   */
  readonly limit?: Limit;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Its input is what `run` gives, its output what the caller gets. */
  readonly answers: A;
  readonly uses?: readonly Resource[];
  /** What is counted when it has been done: a figure of the dashboard. */
  readonly figure?: Figure;
  /** A note in Markdown on what callers must know and no schema says; the reference shows it. */
  readonly note?: string;
  run(call: Call<R, B, Q, P>): Promise<z.input<A>> | z.input<A>;
  /**
   * Tells the document again that an `idempotent` operation has made, if its answer was too large to be kept.
   */
  reread?(call: Omit<Call<R, B, Q, P>, 'remember'>, id: number): Promise<z.input<A>>;
}

/** A part of an operation that the deployment, the reference and the tests know without calling it. */
export interface Metadata extends InputSchemas {
  readonly right: Right;
  readonly orRight?: Right;
  readonly evenInactive?: true;
  readonly accepts?: 'multipart';
  readonly idempotent?: true;
  readonly limit?: Limit;
  readonly answers: z.ZodType;
  readonly uses?: readonly Resource[];
  readonly figure?: Figure;
  readonly note?: string;
}

interface Operation extends Metadata {
  run(call: AnyCall & { remember: Remember }): unknown;
  reread?(call: AnyCall, id: number): unknown;
}

interface AnyCall extends Input {
  readonly actor: unknown;
  readonly at: Instant;
  readonly locale: Locale;
  readonly ip: string;
  readonly url: URL;
}

/** A Lambda function that serves one operation. */
export interface Endpoint {
  (event: APIGatewayProxyEventV2, context: Context): Promise<Answer>;
  readonly metadata: Metadata;
}

/**
 * Makes a Lambda function of an operation. In this order: log, errors, method override, token and right,
 * limit, then path, query and body against their schemas with all failing fields at once, and the operation
 * itself.
 */
export function endpoint<
  R extends Right,
  A extends z.ZodType,
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  P extends z.ZodType = z.ZodUndefined,
>(definition: Definition<R, A, B, Q, P>): Endpoint {
  return serve(definition);
}

function serve(operation: Operation): Endpoint {
  // With a timeout of its own, middy would answer while the operation goes on: the deadline ends both.
  const stack = middy<APIGatewayProxyEventV2, Answer, Error, CallContext>({ timeoutEarlyInMillis: 0 })
    .use([
      // An onion: on the way out the first comes last, so errors are already answers when they are logged.
      requestLog(operation),
      errorAnswers(),
      methodOverride(),
      caller(operation),
      limits(operation),
      jsonBody(operation),
      formBody(operation),
      input(operation),
    ])
    .handler((event, { call }) =>
      impersonatedBy(call.actor?.impersonator?.user, () => answer(operation, event, call)),
    );

  const handler = (event: APIGatewayProxyEventV2, context: Context): Promise<Answer> => {
    const meter = newMeter();
    const call = { meter, began: performance.now() };
    return metered(meter, () =>
      withDeadline(context.getRemainingTimeInMillis(), () => stack(event, { ...context, call })),
    );
  };
  return Object.assign(handler, { metadata: operation });
}

/** Methods that change a record, and so heed `If-Match`. */
const CHANGING = new Set(['PUT', 'PATCH', 'DELETE']);

/** Runs the operation, unless it has been answered before. */
async function answer(
  operation: Operation,
  event: APIGatewayProxyEventV2,
  { input: given, actor, repetition, kept }: CallContext['call'],
): Promise<Answer> {
  if (!given) throw new Error('The input was not read');
  const locale = localeOf(event.headers['accept-language']);
  const { timeEpoch: at, http } = event.requestContext;
  const call = { ...given, actor, at, locale, ip: http.sourceIp, url: urlOf(event) };
  const ifMatch = CHANGING.has(http.method) ? event.headers['if-match'] : undefined;
  const { result, isReplayed } = await withPrecondition(ifMatch, () =>
    runOnce(repetition, kept, {
      run: (remember) => operation.run({ ...call, remember }),
      reread: (document) => operation.reread?.(call, document),
    }),
  );
  const answered = await answerWith(operation.answers, result, locale);
  if (http.method === 'GET') tag(answered, result);
  if (isReplayed) answered.headers['idempotent-replayed'] = 'true';
  return answered;
}

const Versioned = z.object({ version: z.int() });

/** Tells the version of the record that an answer gives, for `If-Match`. Decisions, 1, "Concurrent edits". */
function tag(answered: Answer, result: unknown): void {
  const { data: record } = Versioned.safeParse(result);
  if (record) answered.headers['etag'] = tagOf(record.version);
}
