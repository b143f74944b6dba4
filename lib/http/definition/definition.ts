import type * as z from 'zod';
import type { Actor, Area, AreaActors, Staff, StaffAtDesk } from '#lib/auth/actor.ts';
import type { RateLimit } from '#lib/auth/rate-limit.ts';
import type { Figure } from '#lib/http/wire/log.ts';
import type { ApiError } from '#lib/values/api-error.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ReplayedResponse, SaveResponse } from './idempotency.ts';

/**
 * The callers of an operation: the holders of a right, staff of any role, everyone who is signed in, the
 * holder of a POS token even if its session has ended, another system with a key, the payment gateway by its
 * signature, or anyone. Contract 3; Contract 9.56.
 */
export type Right =
  | `${Area}.${string}`
  | 'staff'
  | 'signed-in'
  | 'at-desk'
  | 'external'
  | 'gateway'
  | 'anyone';

/** The caller of an operation with this right. */
export type CallerWith<R extends Right> = R extends `${infer A extends Area}.${string}`
  ? AreaActors[A]
  : R extends 'staff' | 'external'
    ? Staff
    : R extends 'signed-in'
      ? Actor
      : R extends 'at-desk'
        ? StaffAtDesk
        : undefined;

/**
 * A resource that a route uses beside the table; its role allows these and nothing more. A GET only reads the
 * table: one that changes what it shows names `table:write`.
 */
export type Resource = 'table:write' | FileUse | 'gateway' | 'receivers' | `queue:${string}`;

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
  /** The body as it was sent; undefined without one. */
  readonly sent: unknown;
  readonly at: Instant;
  /** The language of the answer. */
  readonly locale: Locale;
  /**
   * Keeps the answer for repetitions of the call: its write belongs in the transaction of an `idempotent`
   * operation.
   */
  readonly saveResponse: SaveResponse;
  /** The address of the caller. */
  readonly ip: string;
  /** The called address, for links. */
  readonly url: URL;
}

/** An operation, as the deployment, the reference and the tests know it without calling it. */
export interface Metadata {
  /** The schemas of its input; it takes nothing that they don't name. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly right: Right;
  /** Another right that opens the operation too. */
  readonly orRight?: Right;
  /** Another right that its caller needs too. */
  readonly andRight?: Right;
  /** Set if staff of a company that is deleted or blocked may call it too: what pays a debt does. */
  readonly evenInactive?: true;
  /** Set if files come with the body, which is JSON otherwise; the reference says so. */
  readonly accepts?: 'multipart';
  /** Heeds `Idempotency-Key`; set if goods or money move. */
  readonly idempotent?: true;
  /**
   * Refuses fields that nobody knows: one may be a mistyped discount. Set if prices, rates or documents of
   * goods change; where goods or money move it is so anyway. Contract 1, "Unknown fields".
   */
  readonly strict?: true;
  /**
   * The list of its body whose entries are judged each for itself: what the parser refuses in one, is that
   * one's alone.
   */
  readonly entries?: string;
  /**
   * How often one user may call, whatever the outcome: 429 beyond. If the operation counts by itself, only
   * the reference and the tests read it.
   */
  readonly limit?: RateLimit;
  readonly response: z.ZodType;
  readonly uses?: readonly Resource[];
  /** What is counted when it has been done: a figure of the dashboard. */
  readonly figure?: Figure;
  /** Set if it answers with a page of rows: one that is too large is refused. */
  readonly isPaged?: true;
  /** Set if it answers with a report of all rows: one that is too large is to be had as a workbook. */
  readonly isReport?: true;
  /** A note in Markdown on what callers must know and no schema says; the reference shows it. */
  readonly note?: string;
}

/** An operation, as its page in the contract describes it. */
export interface Definition<
  R extends Right,
  A extends z.ZodType,
  B extends z.ZodType,
  Q extends z.ZodType,
  P extends z.ZodType,
> extends Omit<Metadata, 'response'> {
  readonly right: R;
  readonly orRight?: R;
  readonly andRight?: R;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Its input is what `run` gives, its output what the caller gets; left out, the word for success. */
  readonly response?: A;
  run(call: Call<R, B, Q, P>): Promise<z.input<A> | ReplayedResponse<z.input<A>>> | z.input<A>;
  /**
   * Tells the documents again that the answer of an `idempotent` operation told, if it was too large to be
   * kept: one, or all of its `data`.
   */
  reread?(call: Omit<Call<R, B, Q, P>, 'saveResponse'>, ids: readonly number[]): Promise<z.input<A>>;
  /** Ends a call whose body the schema refuses: throws why, or answers with what it has become before. */
  endUnfit?(call: Sent<R>, refusal: ApiError): Promise<ReplayedResponse<z.input<A>>>;
}

/** A call of which nothing but the sender is known to be right. */
type Sent<R extends Right> = Pick<Call<R, z.ZodType, z.ZodType, z.ZodType>, 'actor' | 'sent' | 'at'>;

type AnyCall = Call<Right, z.ZodType, z.ZodType, z.ZodType>;

/** The input of an operation, as its schemas leave it. */
export type Input = Pick<AnyCall, 'id' | 'params' | 'query' | 'body'>;

/** An operation whose types nobody asks for any more: the schemas have judged what it is called with. */
export interface UntypedDefinition extends Metadata {
  run(call: AnyCall): unknown;
  reread?(call: Omit<AnyCall, 'saveResponse'>, ids: readonly number[]): unknown;
  endUnfit?(call: Sent<Right>, refusal: ApiError): Promise<ReplayedResponse<unknown>>;
}
