import type * as z from 'zod';
import type { Actor, Area, AreaActors, Staff, StaffAtDesk } from '#lib/auth/actor.ts';
import type { RateLimit } from '#lib/auth/rate-limit.ts';
import type { Figure } from '#lib/http/wire/log.ts';
import type { ApiError } from '#lib/values/api-error.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Day, Instant } from '#lib/values/time.ts';
import type { ReplayedResponse, SaveResponse } from './idempotency.ts';

/**
 * The callers of an operation: holders of a right, staff of any role, any signed-in user, the holder of a POS
 * token even after its session, an external system with a key, the payment gateway by its signature, or
 * anyone. Contract 3; Contract 9.56.
 */
export type Right =
  | `${Area}.${string}`
  | 'staff'
  | 'signed-in'
  | 'at-desk'
  | 'external'
  | 'gateway'
  | 'anyone';

/** Rights for parts of an operation, each with its field. */
export type FurtherRights = Readonly<Record<`${Area}.${string}`, string | null>>;

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
 * A resource that a route uses besides reading the table; its IAM role allows these and nothing more. A GET
 * only reads the table: one that also writes needs `table:write`.
 */
export type Resource = 'table:write' | FileUse | 'gateway' | 'receivers' | `queue:${string}`;

/** Files of one folder of the bucket. */
export type FileUse = `${'public' | 'exports' | 'incoming'}:${'read' | 'write' | 'remove'}`;

/** The arguments of an operation. */
export interface Call<R extends Right, B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType> {
  readonly actor: CallerWith<R>;
  /** The `{model}` or `{value}` of the path; NaN without one. */
  readonly id: number;
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  /** The body before validation; undefined without one. */
  readonly sent: unknown;
  readonly at: Instant;
  /** The language of the response. */
  readonly locale: Locale;
  /**
   * Builds the write that saves the response for retries: it belongs in the transaction of an `idempotent`
   * operation.
   */
  readonly saveResponse: SaveResponse;
  /** The caller's IP address. */
  readonly ip: string;
  /** The requested URL, for links. */
  readonly url: URL;
}

/** The days of a deprecated operation, and what to call instead, as Markdown. Part 5, 5B.13, 3. */
export interface Deprecation {
  readonly since: Day;
  /** The first day on which it may be gone, 180 days later at least. */
  readonly until: Day;
  readonly instead: string;
}

/** An operation's description, for the deployment, the reference and the tests. */
export interface Metadata {
  /** Schemas of its input. Input without a schema is rejected. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly right: Right;
  /** An alternative right. */
  readonly orRight?: Right;
  /** A right needed in addition. */
  readonly andRight?: Right;
  /**
   * Further rights, required by the operation itself for a part of a call: each with its field of the body or
   * the query; null without one, for example for others' records.
   */
  readonly mayNeed?: FurtherRights;
  /** Set if staff of a deleted or blocked company may call it too, e.g. to pay a debt. */
  readonly evenInactive?: true;
  /** Set if the body is multipart, with files, rather than JSON only; shown in the reference. */
  readonly accepts?: 'multipart';
  /** Supports `Idempotency-Key`; set if goods or money move. */
  readonly idempotent?: true;
  /**
   * Rejects unknown fields: one may be a mistyped discount. Set if prices, rates or documents of goods
   * change; implied where goods or money move. Contract 1, "Unknown fields".
   */
  readonly strict?: true;
  /** The list in its body whose entries are parsed separately: a malformed entry does not fail the others. */
  readonly entries?: string;
  /**
   * Rate limit per user, for any outcome: 429 beyond. If the operation counts by itself, only the reference
   * and the tests read it.
   */
  readonly limit?: RateLimit;
  readonly response: z.ZodType;
  readonly uses?: readonly Resource[];
  /** The business metric counted on success. */
  readonly figure?: Figure;
  /** Set if its response depends only on the language and the release: callers keep and revalidate it. */
  readonly isRevalidated?: true;
  /** Set if it returns a page of rows: a page that is too large is rejected. */
  readonly isPaged?: true;
  /** Set if it returns a report of all rows: one that is too large is available as a workbook. */
  readonly isReport?: true;
  /** Set if it will be removed: shown by headers of responses and by the reference. */
  readonly deprecated?: Deprecation;
  /** The rules of its noun, which open the noun's page in the reference. */
  readonly about?: string;
  /** A Markdown note for callers, shown in the reference, on rules that no schema expresses. */
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
  /** Its input is the result of `run`, its output the response; if omitted, the message of success. */
  readonly response?: A;
  run(call: Call<R, B, Q, P>): Promise<z.input<A> | ReplayedResponse<z.input<A>>> | z.input<A>;
  /**
   * Reads again the documents in the saved response of an `idempotent` operation that was too large to save:
   * one, or all of its `data`.
   */
  reread?(call: Omit<Call<R, B, Q, P>, 'saveResponse'>, ids: readonly number[]): Promise<z.input<A>>;
  /** Handles a body that the schema rejects: throws the error, or returns the earlier outcome of the call. */
  endUnfit?(call: Sent<R>, refusal: ApiError): Promise<ReplayedResponse<z.input<A>>>;
}

/** A call of which only the sender is validated. */
type Sent<R extends Right> = Pick<Call<R, z.ZodType, z.ZodType, z.ZodType>, 'actor' | 'sent' | 'at'>;

type AnyCall = Call<Right, z.ZodType, z.ZodType, z.ZodType>;

/** The validated input of an operation. */
export type Input = Pick<AnyCall, 'id' | 'params' | 'query' | 'body'>;

/** An operation without its static types: the schemas have validated its input. */
export interface UntypedDefinition extends Metadata {
  run(call: AnyCall): unknown;
  reread?(call: Omit<AnyCall, 'saveResponse'>, ids: readonly number[]): unknown;
  endUnfit?(call: Sent<Right>, refusal: ApiError): Promise<ReplayedResponse<unknown>>;
}
