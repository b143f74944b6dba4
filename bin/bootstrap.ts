import { randomBytes } from 'node:crypto';
import { FirstAccount } from '#lib/people/user/input.ts';
import {
  hasSuperAdministrator,
  makeSuperAdministrator,
  renewPassword,
} from '#lib/platform/first-administrator.ts';
import { makeFirstRecords } from '#lib/platform/first-records.ts';
import { makeFirstTemplates } from '#lib/platform/first-templates.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { main, print, requireOption, TEXT } from './cli/main.ts';
import { prompt } from './cli/prompt.ts';

/*
 * Initializes a deployed stage: initial records, and the administrator who creates all others. Later it sets
 * a new password for a super-administrator.
 */

const USAGE = `npm run bootstrap -- --stage <name> [--username <name>] [--password] [--table <name>]

--password prompts for a password (or reads ADMIN_PASSWORD): the first administrator's, or a new one of a
super-administrator, whose sessions end.`;

const OPTIONS = {
  ...{ stage: TEXT, table: TEXT, username: { ...TEXT, default: 'admin' } },
  password: { type: 'boolean', default: false },
} as const;

await main(USAGE, { options: OPTIONS }, async ({ values }) => {
  const { stage, table, username, password } = values;
  const name = table ?? (stage === undefined ? undefined : await tableOf(stage));
  process.env['TABLE_NAME'] = requireOption(name, 'Which stage?');
  // No queue of the index worker is available here. Its next message about these lists updates the indexes.
  process.removeAllListeners('warning');
  await bootstrap(process.env['TABLE_NAME'], username, password);
});

async function tableOf(stage: string): Promise<string> {
  const { outputOf } = await import('./stage/stack.ts');
  return outputOf(stage, 'TableName');
}

async function bootstrap(table: string, username: string, hasOwnPassword: boolean): Promise<void> {
  const at = Date.now();
  const isFirst = !(await hasSuperAdministrator());
  const account = isFirst || hasOwnPassword ? await accountFor(username, hasOwnPassword) : undefined;
  // The schema version is recorded first.
  const made = [...(await makeFirstRecords(at)), ...(await makeFirstTemplates(at))];
  if (account)
    made.push(...(await (isFirst ? createFirst(account, hasOwnPassword, at) : renew(account, at))));
  print(
    made.length > 0 ? `Made in ${table}: ${made.join(', ')}.` : `${table} has it all: nothing has changed.`,
  );
}

type Account = Awaited<ReturnType<typeof accountFor>>;

/**
 * Creates the first administrator. The password is printed before: interrupted in between, it would be lost.
 */
async function createFirst(account: Account, hasOwnPassword: boolean, at: number): Promise<string[]> {
  print(`Username: ${account.username}`);
  if (!hasOwnPassword)
    print(`Password: ${account.new_password}\nIt is shown this once. Keep it safe, or change it.`);
  await makeSuperAdministrator(account, at).catch((error: unknown) => {
    throw explain(error);
  });
  return ['a super-administrator'];
}

async function renew({ username, new_password }: Account, at: number): Promise<string[]> {
  const outcome = await renewPassword(username, new_password, at);
  if (outcome === 'nobody') throw new Error(`There is no super-administrator ${username}.`);
  return outcome === 'same' ? [] : [`another password of ${username}, whose sessions have ended`];
}

async function accountFor(username: string, hasOwnPassword: boolean) {
  const new_password = hasOwnPassword ? await readPassword() : newPassword();
  const { error } = FirstAccount.safeParse({
    username,
    new_password,
    new_password_confirmation: new_password,
  });
  if (error?.issues.some(({ path }) => path[0] === 'username'))
    throw new Error('A username has 3 to 255 of Latin letters, digits and . _ @ + -');
  if (error)
    throw new Error('A password has 8 to 255 characters, a letter and a digit, and is not the username.');
  return {
    username,
    new_password,
    phone: null,
    telephony_sip_number: null,
    are_all_companies_available: true,
    profile: { first_name: null, last_name: null, position: null },
  };
}

function explain(error: unknown): unknown {
  if (error instanceof ApiError && error.status === 409)
    return new Error('Another operator has just created it.');
  if (error instanceof ApiError && 'username' in error.fields) return new Error('That username is taken.');
  return error;
}

/** Generates a random password of 144 bits. */
function newPassword(): string {
  for (;;) {
    const password = randomBytes(18).toString('base64url');
    if (/[A-Za-z]/.test(password) && /\d/.test(password)) return password;
  }
}

/** Reads the operator's own password from the environment, or else by a prompt. */
async function readPassword(): Promise<string> {
  return process.env['ADMIN_PASSWORD'] || prompt('Password: ', { isSecret: true });
}
