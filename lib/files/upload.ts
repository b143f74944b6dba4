import * as z from 'zod';

/** A file that came with a form. */
export const Upload = z.object({ filename: z.string(), content: z.instanceof(Buffer) });

export type Upload = z.output<typeof Upload>;
