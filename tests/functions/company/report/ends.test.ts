import { expect, test } from 'vitest';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';

const GROUPS = ['cash?group=day', 'products?group=product', 'sales?group=day', 'sales?group=month'];

const ENDS = ['9999-12-31', '0001-01-01'];

test.for(GROUPS.flatMap((report) => ENDS.map((day) => [report, day] as const)))(
  '%s of %s, an end of all dates, is a report',
  async ([report, day]) => {
    const { director } = await newFamily();
    const days = `filter[date][0]=${day}&filter[date][1]=${day}`;
    const { status } = await call(`GET /company/report/${report}&${days}`, { token: director });
    expect(status).toBe(200);
  },
);
