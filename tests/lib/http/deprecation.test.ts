import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiOf } from '#infra/reference/document.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/response.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { newEvent } from '#tests/support/event.ts';

const deprecated = { since: '2026-12-01', until: '2027-06-01', instead: '`GET /company/rack`' } as const;

const old = endpoint({ right: 'anyone', deprecated, response: Confirmation, run: () => {} });

const headers = { deprecation: '@1796065200', sunset: 'Mon, 31 May 2027 19:00:00 GMT' };

test('a deprecated operation says so and until when in every answer, a refusal too (Part 5, 5B.13 (3))', async () => {
  expect(await old(...newEvent())).toMatchObject({ statusCode: 200, headers });
  const refusing = endpoint({
    right: 'anyone',
    deprecated,
    response: Confirmation,
    run: () => {
      throw badRequest('supplier.gone');
    },
  });
  expect(await refusing(...newEvent())).toMatchObject({ statusCode: 400, headers });
  const forbidding = endpoint({ right: 'signed-in', deprecated, response: Confirmation, run: () => {} });
  expect(await forbidding(...newEvent())).toMatchObject({ statusCode: 401, headers });
});

test('no other operation has these headers (Part 5, 5B.13 (3))', async () => {
  const present = endpoint({ right: 'anyone', response: Confirmation, run: () => {} });
  const answer = await present(...newEvent());
  expect(Object.keys(answer.headers)).not.toContain('deprecation');
  expect(Object.keys(answer.headers)).not.toContain('sunset');
});

test('the reference marks a deprecated operation, with its days and what to call instead (Part 5, 5B.13 (3))', () => {
  const route = { file: 'functions/common/shelf.ts', path: '/common/shelf', hasMethodOverride: false };
  const document: unknown = openApiOf([{ ...route, endpoints: { GET: old } }]);
  const { paths } = z.looseObject({ paths: z.record(z.string(), z.unknown()) }).parse(document);
  expect(paths['/common/shelf']).toMatchObject({
    get: {
      deprecated: true,
      'x-deprecated': { since: '2026-12-01', until: '2027-06-01' },
      description: expect.stringContaining(
        'Deprecated since 2026-12-01, served until 2027-06-01: use `GET /company/rack`.',
      ),
    },
  });
});
