import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Example = z.object({
  /** Request body sent by a test. */
  sent: z.unknown().optional(),
  /** Response with status 200. */
  got: z.unknown().optional(),
  /** Error responses by status. */
  refused: z.record(z.string(), z.unknown()).optional(),
  /** Statuses observed by tests. */
  statuses: z.array(z.int()),
  /** Media types observed by tests, unless only JSON. */
  types: z.array(z.string()).optional(),
  /** Whether `If-Match` of another version was always 412. */
  heedsVersion: z.boolean().optional(),
});

type Example = z.output<typeof Example>;

/** Requests and responses recorded by `npm run examples`, by operation. */
const EXAMPLES = z
  .record(z.string(), Example)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')));

/** Returns the example of an operation, `POST /company/trade/sale`; an empty one if none was recorded. */
export function exampleOf(name: string): Example {
  return EXAMPLES[name] ?? { sent: undefined, got: undefined, statuses: [] };
}
