import { createHash, createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sha256 } from '#lib/table/tuning.ts';

const texts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 });
const secrets = fc.option(fc.oneof(fc.string({ minLength: 1 }), fc.uint8Array({ minLength: 1 })), {
  nil: undefined,
});

test('a request is signed by SHA-256 of all its parts, with a secret or without, and anew after a reset', async () => {
  await fc.assert(
    fc.asyncProperty(texts, secrets, async (parts, secret) => {
      const ours = new Sha256(secret);
      const digest = async () => {
        for (const part of parts) ours.update(part);
        return Buffer.from(await ours.digest()).toString('hex');
      };
      const theirs = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
      const expected = theirs.update(Buffer.concat(parts)).digest('hex');
      expect(await digest()).toBe(expected);
      ours.reset();
      expect(await digest()).toBe(expected);
    }),
  );
});
