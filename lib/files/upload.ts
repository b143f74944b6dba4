import * as z from 'zod';

/** A file in a form. */
export const Upload = z.object({ filename: z.string(), content: z.instanceof(Buffer) });

/** Bytes of a required file in a form. 422 if it is missing. */
export const FileBytes = z
  .unknown()
  .superRefine((field, context) => {
    if (contentOf(field).length > 0) return;
    const message = Array.isArray(field) ? 'validation.duplicate' : 'file.required';
    context.addIssue({ code: 'custom', message });
  })
  .transform(contentOf)
  .meta({ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' });

export type Upload = z.output<typeof Upload>;

function contentOf(field: unknown): Buffer {
  return Upload.safeParse(field).data?.content ?? Buffer.alloc(0);
}
