import { parseArgs } from 'node:util';
import { FirstAccount } from '#lib/people/user/input.ts';
import { hasSuperAdministrator, makeSuperAdministrator } from '#lib/platform/first-administrator.ts';
import { makeFirstRecords } from '#lib/platform/first-records.ts';
import { makeFirstTemplates } from '#lib/platform/first-templates.ts';
import { giveRoles } from '#lib/platform/given-roles.ts';
import { Refusal } from '#lib/values/refusal.ts';
import { askedPassword, newPassword } from './bootstrap/password.ts';
import { outputOf } from './stage/outputs.ts';

/*
 * The beginning of a deployed stage: records that everyone needs, and the administrator who makes all others.
 */

const USAGE = 'npm run bootstrap -- --stage <name> [--username <name>] [--password] [--table <name>]';

/** A mistake to tell the operator without a stack trace. */
class Wrong extends Error {}

try {
  const { stage, table, username, password } = options();
  const name = table ?? (stage === undefined ? undefined : await outputOf(stage, 'TableName'));
  if (!name) throw new Wrong(`Which stage? ${USAGE}`);
  process.env['TABLE_NAME'] = name;
  await bootstrap(name, username, password);
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exit(1);
}

function options() {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      table: { type: 'string' },
      username: { type: 'string', default: 'admin' },
      password: { type: 'boolean', default: false },
    },
  });
  return values;
}

async function bootstrap(table: string, username: string, isAsked: boolean): Promise<void> {
  const at = Date.now();
  const isThere = await hasSuperAdministrator();
  const account = isThere ? undefined : await accountFor(username, isAsked);
  const made = [...(await makeFirstRecords(at)), ...(await makeFirstTemplates(at))];
  if (account) await makeSuperAdministrator(account, at);
  const given = await giveRoles(at);
  const roles = given > 0 ? [`the role of ${given} users`] : [];
  const all = [...made, ...(account ? ['a super-administrator'] : []), ...roles];
  say(all.length > 0 ? `Made in ${table}: ${all.join(', ')}.` : `${table} has it all: nothing has changed.`);
  if (!account) return;
  say(`Username: ${account.username}`);
  if (!isAsked) say(`Password: ${account.new_password}\nIt is shown this once. Keep it safe, or change it.`);
}

async function accountFor(username: string, isAsked: boolean) {
  const new_password = isAsked ? await askedPassword() : newPassword();
  const { error } = FirstAccount.safeParse({
    username,
    new_password,
    new_password_confirmation: new_password,
  });
  if (error?.issues.some(({ path }) => path[0] === 'username'))
    throw new Wrong('A username has 3 to 255 of Latin letters, digits and . _ @ + -');
  if (error)
    throw new Wrong('A password has 8 to 255 characters, a letter and a digit, and is not the username.');
  return {
    username,
    new_password,
    phone: null,
    telephony_sip_number: null,
    are_all_companies_available: true,
    profile: { first_name: null, last_name: null, position: null },
  };
}

function sentenceFor(error: unknown): string {
  if (error instanceof Refusal && error.status === 409) return 'Someone else has just made it.';
  if (error instanceof Refusal && 'username' in error.fields) return 'That username is taken.';
  return error instanceof Error ? error.message : String(error);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
