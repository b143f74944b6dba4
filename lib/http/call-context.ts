import type { Context } from 'aws-lambda';
import type { Actor } from '#lib/access/actor.ts';
import type { Meter } from '#lib/table/meter.ts';
import type { Repetition } from './repetition.ts';

/** The state of one call, shared by the steps of its endpoint. */
export interface CallContext extends Context {
  readonly call: {
    readonly meter: Meter;
    /** Milliseconds, monotonic. */
    readonly began: number;
    actor?: Actor | undefined;
    repetition?: Repetition | undefined;
    /** The answer that the first call with the same key was given. */
    kept?: { readonly answer: unknown } | undefined;
  };
}
