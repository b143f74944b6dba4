import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { units } from '#lib/catalog/unit/unit.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { familyTenant, PLATFORM } from '#lib/table/keys.ts';
import { logIn, newTable } from '#tests/support/empty-stage.ts';
import { newCompany } from '#tests/support/family.ts';
import { runProgram } from '#tests/support/program.ts';
import { insertUser } from '#tests/support/users.ts';

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly typed?: string;
}

function bootstrap(args: readonly string[], { env, typed = '' }: Given = {}) {
  return runProgram('bootstrap', args, { ...env, TABLE_NAME: undefined }, { typed });
}

const TOKEN = { token: expect.any(String) };

async function everyItem() {
  return (await dynamo.send(new ScanCommand({ TableName: tableName() }))).Items ?? [];
}

test('an empty stage gets its first records and an administrator, whose password is shown once; run again, it changes nothing', async () => {
  const table = await newTable();
  const first = await bootstrap(['--table', table, '--username', 'first.admin']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [, password = ''] = /Password: (\S{24})\n/.exec(first.stdout) ?? [];
  await expect(logIn('first.admin', password)).resolves.toEqual(TOKEN);

  const before = await everyItem();
  const second = await bootstrap(['--table', table, '--username', 'other.admin']);
  const said = `${table} has it all: nothing has changed.\n`;
  expect(second).toEqual({ code: 0, stdout: said, stderr: '' });
  expect(await everyItem()).toEqual(before);
  expect(JSON.stringify(before)).not.toContain(password);

  const tenant = familyTenant(await newCompany(null));
  expect(await findRecord({ type: units, tenant, id: 1 })).toMatchObject({
    name: { ru: 'Штука' },
    source_id: 1,
  });
  expect(await findRecord({ type: units, tenant, id: 17 })).toMatchObject({
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
  await expect(logIn('admin', 'Typed-2026-key')).resolves.toEqual(TOKEN);
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
  await expect(logIn('admin', 'Environment-2026')).resolves.toEqual(TOKEN);
});

test('a super-administrator whose password is lost is given another, which ends all sessions; the same changes nothing', async () => {
  const table = await newTable();
  const set = (password: string, ...args: string[]) =>
    bootstrap(['--table', table, '--password', ...args], { env: { ADMIN_PASSWORD: password } });
  await set('First-2026');
  const session = async () => (await findRecord({ type: users, tenant: PLATFORM, id: 1 }))?.session;
  const before = await session();

  const other = await set('Second-2026');
  const said = `Made in ${table}: another password of admin, whose sessions have ended.\n`;
  expect(other).toEqual({ code: 0, stdout: said, stderr: '' });
  await expect(logIn('admin', 'Second-2026')).resolves.toEqual(TOKEN);
  await expect(logIn('admin', 'First-2026')).rejects.toMatchObject({ status: 422 });
  expect(await session()).toBe(Number(before) + 1);

  const same = await set('Second-2026');
  expect(same).toEqual({ code: 0, stdout: `${table} has it all: nothing has changed.\n`, stderr: '' });
  expect(await session()).toBe(Number(before) + 1);
});

test('a password for a name that no super-administrator has is reported, and not dropped in silence', async () => {
  const table = await newTable();
  await bootstrap(['--table', table]);
  await insertUser({ type: 'admin', username: 'helper' });
  for (const name of ['nobody', 'helper']) {
    const args = ['--table', table, '--password', '--username', name];
    const { code, stderr } = await bootstrap(args, { env: { ADMIN_PASSWORD: 'Other-2026' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `There is no super-administrator ${name}.\n` });
  }
});

test('without a stage it says how to give one', async () => {
  const { code, stderr } = await bootstrap([]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Which stage?') });
});
