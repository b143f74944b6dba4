import * as z from 'zod';

/** A file that came with a form. */
export const Upload = z.object({ filename: z.string(), content: z.instanceof(Buffer) });

/** Bytes of a file that must come with a form. 422 if it didn't. */
export const FileBytes = z
  .unknown()
  .superRefine((given, context) => {
    if (contentOf(given).length > 0) return;
    const message = Array.isArray(given) ? 'validation.duplicate' : 'file.required';
    context.addIssue({ code: 'custom', message });
  })
  .transform(contentOf)
  .meta({ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' });

export type Upload = z.output<typeof Upload>;

function contentOf(given: unknown): Buffer {
  return Upload.safeParse(given).data?.content ?? Buffer.alloc(0);
}
