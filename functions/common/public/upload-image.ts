import { UPLOADS } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as uploads from '#lib/uploads/image-upload.ts';

export const POST = endpoint({
  right: 'signed-in',
  limit: UPLOADS,
  accepts: 'multipart',
  body: uploads.ImageUpload,
  response: uploads.UploadedImages,
  uses: ['incoming:read', 'public:write'],
  note:
    'Takes files in `images[]`, keys of `upload-form` in `keys[]`, or both, ten in total. A request carries ' +
    'up to 4.5 MB of files; above that: 413. `size` scales and crops without distortion.',
  run: ({ actor, body, at }) => uploads.uploadImages(actor, body, at),
});
