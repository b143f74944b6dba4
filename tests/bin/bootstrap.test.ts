import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { createTable } from '#bin/local/database.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { login } from '#lib/people/session.ts';
import { findRecord } from '#lib/records/record.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { familyHome } from '#lib/table/keys.ts';
import { newCompany } from '#tests/kit/family.ts';
import { runProgram } from '#tests/kit/program.ts';

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly typed?: string;
}

/** Makes an empty table: domain functions called in this file read it from here on. */
async function newTable(): Promise<string> {
  const table = `bootstrap-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', table);
  process.env['TABLE_NAME'] = table;
  return table;
}

function bootstrap(args: readonly string[], { env, typed = '' }: Given = {}) {
  return runProgram('bootstrap', args, { ...env, TABLE_NAME: undefined }, { typed });
}

const signIn = (username: string, password: string) =>
  login({ username, password }, randomUUID(), Date.now());

const TOKEN = { token: expect.any(String) };

async function everyItem() {
  return (await dynamo.send(new ScanCommand({ TableName: tableName() }))).Items ?? [];
}

test('an empty stage gets its first records and an administrator, whose password is shown once; run again, it changes nothing', async () => {
  const table = await newTable();
  const first = await bootstrap(['--table', table, '--username', 'first.admin']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [, password = ''] = /Password: (\S{24})\n/.exec(first.stdout) ?? [];
  await expect(signIn('first.admin', password)).resolves.toEqual(TOKEN);

  const before = await everyItem();
  const second = await bootstrap(['--table', table, '--username', 'other.admin']);
  const said = `${table} has it all: nothing has changed.\n`;
  expect(second).toEqual({ code: 0, stdout: said, stderr: '' });
  expect(await everyItem()).toEqual(before);
  expect(JSON.stringify(before)).not.toContain(password);

  const home = familyHome(await newCompany(null));
  expect(await findRecord({ type: units, home, id: 1 })).toMatchObject({
    name: { ru: 'Штука' },
    source_id: 1,
  });
  expect(await findRecord({ type: units, home, id: 17 })).toMatchObject({
    name: { oz: 'Juft' },
    accuracy: 0,
  });
});

test("the operator's own password is checked before anything is made, and never shown", async () => {
  const table = await newTable();
  for (const typed of ['Short-1\n', '']) {
    const refused = await bootstrap(['--table', table, '--password'], { typed });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('A password has 8 to 255') });
  }
  const nameless = await bootstrap(['--table', table, '--username', 'я']);
  expect(nameless).toMatchObject({ code: 1, stderr: expect.stringContaining('A username has 3 to 255') });
  expect(await everyItem()).toEqual([]);

  const own = await bootstrap(['--table', table, '--password'], { typed: 'Typed-2026-key\n' });
  expect(own.code).toBe(0);
  expect(`${own.stdout}${own.stderr}`).not.toMatch(/Typed|Password: \S/);
  await expect(signIn('admin', 'Typed-2026-key')).resolves.toEqual(TOKEN);
});

test('the table of a stage is the one that its stack names, and the password may come from the environment', async () => {
  const table = await newTable();
  const asked: string[] = [];
  const output = `<member><OutputKey>TableName</OutputKey><OutputValue>${table}</OutputValue></member>`;
  const stack = `<member><StackName>retail-dev</StackName><Outputs>${output}</Outputs></member>`;
  const answer = `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const aws = createServer(async (request, response) => {
    asked.push(await text(request));
    response.setHeader('content-type', 'text/xml').end(answer);
  }).listen(0, '127.0.0.1');
  await once(aws, 'listening');
  const address = aws.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const env = {
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`,
    ADMIN_PASSWORD: 'Environment-2026',
  };
  const made = await bootstrap(['--stage', 'dev', '--password'], { env });
  aws.close();
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`Made in ${table}: languages`) });
  expect(asked).toEqual([expect.stringContaining('StackName=retail-dev')]);
  await expect(signIn('admin', 'Environment-2026')).resolves.toEqual(TOKEN);
});

test('without a stage it says how to give one', async () => {
  const { code, stderr } = await bootstrap([]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Which stage?') });
});
