import { expect, test } from 'vitest';
import * as z from 'zod';
import { exact, exactOrList, fieldsCompared, period, substring } from '#lib/records/query/filters.ts';
import { Id } from '#lib/values/fields.ts';

test('a field has an index if a filter compares it with values: not a day, not a part of a text, not the id', () => {
  const filters = {
    id: exactOrList('id', Id),
    source_id: exact('manual_source_id', Id),
    status: exactOrList('status', z.enum(['open', 'closed'])),
    name: substring('name'),
    created_at: period('created_at'),
  };
  expect(fieldsCompared(filters)).toEqual(['manual_source_id', 'status']);
});
