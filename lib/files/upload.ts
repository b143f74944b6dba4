import * as z from 'zod';

/** A file that came with a form. */
export const Upload = z.object({ filename: z.string(), content: z.instanceof(Buffer) });

/** Bytes of a file that must come with a form. 422 if it didn't. */
export const FileBytes = z
  .unknown()
  .transform((given) => Upload.safeParse(given).data?.content ?? Buffer.alloc(0))
  .superRefine((content, context) => {
    if (content.length === 0) context.addIssue({ code: 'custom', message: 'file.required' });
  })
  .meta({ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' });

export type Upload = z.output<typeof Upload>;
