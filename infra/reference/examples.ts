import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Example = z.object({
  /** A body, as a test sent it. */
  sent: z.unknown().optional(),
  /** What it got, with 200. */
  got: z.unknown().optional(),
  /** What it was refused with, by status. */
  refused: z.record(z.string(), z.unknown()).optional(),
  /** All statuses met by tests. */
  statuses: z.array(z.int()),
  /** All media types met by tests, unless that is JSON alone. */
  types: z.array(z.string()).optional(),
  /** True if `If-Match` of another version was 412, each time. */
  heedsVersion: z.boolean().optional(),
});

type Example = z.output<typeof Example>;

/** What tests really sent and got, by operation: `npm run examples` records it. */
const EXAMPLES = z
  .record(z.string(), Example)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')));

/** Gives the example of an operation, `POST /company/trade/sale`; an empty one if no test has called it. */
export function exampleOf(name: string): Example {
  return EXAMPLES[name] ?? { sent: undefined, got: undefined, statuses: [] };
}
