import * as z from 'zod';
import { removeFiles } from '#lib/files/storage.ts';
import { worker } from '#lib/http/worker.ts';

/** Deletes files that no record refers to any more. */
export const handler = worker({
  message: z.object({ keys: z.array(z.string()).max(1000) }),
  uses: ['public:remove'],
  run: ({ keys }) => removeFiles(keys),
});
