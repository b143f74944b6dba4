import * as z from 'zod';
import { copyToEveryFamily } from '#lib/catalog/unit/template.ts';
import { worker } from '#lib/http/worker.ts';

/** Copies a new measurement-unit template to every family. */
export const handler = worker({
  message: z.object({ id: z.int(), at: z.int() }),
  run: ({ id, at }) => copyToEveryFamily(id, at),
});
