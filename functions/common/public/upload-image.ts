import { endpoint } from '#lib/http/endpoint.ts';
import * as uploads from '#lib/system/image-upload.ts';

export const POST = endpoint({
  right: 'signed-in',
  accepts: 'multipart',
  body: uploads.ImageUpload,
  answers: uploads.UploadedImages,
  uses: ['files:read', 'files:write'],
  run: ({ actor, body }) => uploads.uploadImages(actor, body),
});
