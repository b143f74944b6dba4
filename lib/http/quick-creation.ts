import type * as z from 'zod';
import type { RateLimit } from '#lib/auth/rate-limit.ts';
import type { Definition } from './definition/definition.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** Shared by all types of records. Part 1, "Limits". */
const LIMIT: RateLimit = { name: 'create-record', max: 3, seconds: 60 };

type Creation<A extends z.ZodType, B extends z.ZodType> = Definition<
  'staff',
  A,
  B,
  z.ZodUndefined,
  z.ZodUndefined
>;

/**
 * Returns the function of an operation that creates a record while another form is filled in. Part 1, "Shared
 * helper methods".
 */
export function quickCreation<A extends z.ZodType, B extends z.ZodType>(
  definition: Pick<Creation<A, B>, 'body' | 'response' | 'note' | 'run'>,
): Endpoint {
  return endpoint({ ...definition, right: 'staff', limit: LIMIT });
}
