import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Actor } from '#lib/access/actor.ts';
import type { Input } from '#lib/http/definition/definition.ts';
import type { RememberedAnswer, Repetition } from '#lib/http/definition/repetition.ts';
import type { Answer } from '#lib/http/wire/answer.ts';
import type { Meter } from '#lib/table/call-scope.ts';

/** The state of one call: each step of an endpoint adds its part, and later steps use it. */
interface CallState {
  readonly meter: Meter;
  /** Milliseconds, monotonic. */
  readonly began: number;
  /** Set by `caller`: who calls; undefined if anyone may. */
  actor?: Actor | undefined;
  /** Set by `caller`: the earlier call that this one may repeat, and the answer that was given to it. */
  repetition?: Repetition | undefined;
  kept?: RememberedAnswer | undefined;
  /** Set by `body`: the body as plain data; undefined if there is none. */
  body?: unknown;
  /** Set by `errorAnswers`: the code of the refusal. */
  refused?: string;
  /** Set by `input`: what came in, as the operation's schemas leave it. */
  input?: Input | undefined;
}

export interface CallContext extends Context {
  readonly call: CallState;
}

/** A step of an endpoint: something done before the operation, after it, or about an error. */
export type Step = MiddlewareObj<APIGatewayProxyEventV2, Answer, Error, CallContext>;

/** A call on its way through the steps. */
export type Served = Request<APIGatewayProxyEventV2, Answer, Error, CallContext>;
