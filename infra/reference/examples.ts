import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Example = z.object({
  /** The body that a test sent. */
  sent: z.unknown().optional(),
  /** The body that it got, with 200. */
  got: z.unknown().optional(),
  /** The refusals that it got, by status. */
  refused: z.record(z.string(), z.unknown()).optional(),
  /** The statuses that the tests have met. */
  statuses: z.array(z.int()),
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
