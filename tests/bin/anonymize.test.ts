import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { newClientOnCredit, PERSONAL } from '#tests/support/client-on-credit.ts';
import { call } from '#tests/support/http.ts';
import { runProgram } from '#tests/support/program.ts';
import { newShop } from '#tests/support/shop.ts';

const argsFor = (family: number, client: number) => [
  ...['--family', String(family), '--client', String(client), '--table', tableName()],
];

/** Lists the items of a family that identify the client. */
async function itemsThatTell(family: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: tableName() })) {
    for (const item of Items) {
      const isOfFamily = new RegExp(`#family-${family}(#|$)`).test(String(item['pk']));
      if (isOfFamily && PERSONAL.some((each) => JSON.stringify(item).includes(each))) found.push(item['pk']);
    }
  }
  return found;
}

test("a client's name and telephones leave the family's records, and sums stay", async () => {
  const { companyId, director: token, client } = await newClientOnCredit();
  expect((await itemsThatTell(companyId)).length).toBeGreaterThan(2);
  const { code, stdout, stderr } = await runProgram('anonymize', argsFor(companyId, client));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    `Client ${client} of family ${companyId} is a number now: the card, and 1 of 1 sales.`,
  );
  expect(await itemsThatTell(companyId)).toEqual([]);
  const shown = await call(`GET /company/client/client/${client}`, { token });
  expect(shown.body).toMatchObject({ full_name: `№ ${client}`, additional_phones: [], birth_date: null });
  expect((await readBooks(companyId)).violations).toEqual([]);

  const again = await runProgram('anonymize', argsFor(companyId, client));
  expect(again.stdout).toContain('and 0 of 1 sales.');
  // The number is free again.
  const json = { full_name: 'Бобур', main_phone: '998901112233', additional_phones: [], languages: [] };
  expect(await call('POST /company/client/client', { token, json })).toMatchObject({ status: 200 });
});

test('a client that the family has not is reported', async () => {
  const { companyId } = await newShop();
  expect(await runProgram('anonymize', argsFor(companyId, 77))).toMatchObject({
    code: 1,
    stderr: `Family ${companyId} has no client 77.\n`,
  });
});
