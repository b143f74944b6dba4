import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { runProgram } from '#tests/support/program.ts';
import packageJson from '../../package.json' with { type: 'json' };

/* Output of an operator's program that can't start: one sentence, without a stack trace. */

const CALLS: readonly (readonly [program: string, args: readonly string[]])[] = [
  ['bootstrap', ['--stage', 'dev']],
  ['deploy', ['--stage', 'dev']],
  ['redrive', ['--stage', 'dev']],
  ['remove', ['--stage', 'dev', '--yes', 'dev']],
  ['restore', ['--stage', 'dev', '--at', '2026-11-21T10:00', '--as', 'new']],
  ['verify', ['--stage', 'dev']],
];

/** No account: no keys, no profile, no instance metadata. */
const NOBODY = {
  HOME: '/nonexistent',
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_MAX_ATTEMPTS: '1',
  SMOKE_PASSWORD: 'any',
};

async function failed(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const { code, stdout, stderr } = await runProgram(program, args, env);
  // Of `verify` 1 is a violation.
  expect([code, stdout]).toEqual([program === 'verify' ? 2 : 1, '']);
  return stderr;
}

test.each(CALLS)(
  '%s without credentials, without a region, or at an address where nobody is',
  async (program, args) => {
    const credentials = await failed(program, args, NOBODY);
    expect(credentials).toBe('There are no credentials of AWS: sign in, or name a profile by AWS_PROFILE.\n');
    const region = await failed(program, args, { ...NOBODY, AWS_REGION: undefined });
    expect(region).toBe('Which region? Give AWS_REGION, or the profile a region.\n');
    const AWS_ENDPOINT_URL = 'http://127.0.0.1:1';
    const nowhere = { SMOKE_PASSWORD: 'any', AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_SQS: AWS_ENDPOINT_URL };
    expect(await failed(program, args, { ...nowhere, AWS_MAX_ATTEMPTS: '1' })).toMatch(
      /^connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
    );
  },
);

test.each([...CALLS, ['smoke', []] as const, ['invoke', []] as const])(
  '%s with an option that it does not have',
  async (program, args) => {
    const told = await failed(program, [...args, '--nonsense'], NOBODY);
    expect(told).toMatch(new RegExp(`^Unknown option '--nonsense'\\.\\n\\n.*npm run ${program} -- `));
    expect(told).not.toContain('    at ');
  },
);

test.each(CALLS.filter(([name]) => ['bootstrap', 'restore', 'verify'].includes(name)))(
  '%s of a stage that does not exist',
  async (program, args) => {
    const error =
      '<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id retail-dev does not exist</Message>';
    const body = `<ErrorResponse><Error>${error}</Error></ErrorResponse>`;
    const aws = createServer((_, response) =>
      response.writeHead(400, { 'content-type': 'text/xml' }).end(body),
    );
    await once(aws.listen(0, '127.0.0.1'), 'listening');
    const bound = aws.address();
    const AWS_ENDPOINT_URL = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
    expect(await failed(program, args, { AWS_ENDPOINT_URL })).toBe(
      'There is no stage dev in this account and region.\n',
    );
    aws.close();
  },
);

test('npm start with an option that it does not have', async () => {
  expect(await failed('local', ['--nonsense'], {})).toBe(
    "Unknown option '--nonsense'.\n\nnpm start -- [--memory] [--clock 2026-12-01T10:00]\n",
  );
});

test('verify of a table that does not exist', async () => {
  expect(await failed('verify', ['--table', 'no-such-table'], {})).toBe(
    'There is no such table in this account and region.\n',
  );
});

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(packageJson);

/** All programs of `package.json`, with their files. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^(?:exec )?node ((?:bin|bench)\/\S+)\.ts$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test('there are programs whose usage is asked for', () => {
  expect(PROGRAMS.length).toBeGreaterThan(15);
});

test.each(PROGRAMS)(
  '%s tells how it is called, by --help and by -h, and does nothing',
  async (name, file) => {
    for (const word of ['--help', '-h']) {
      const { code, stdout, stderr } = await runProgram(`../${file}`, [word], NOBODY);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(name === 'start' ? /^npm start/ : new RegExp(`npm run (--silent )?${name}\\b`));
      expect(stdout.length).toBeLessThan(5000);
    }
  },
);

test.each(PROGRAMS)('%s with an option that is none tells so in a sentence', async (_, file) => {
  const { code, stderr } = await runProgram(`../${file}`, ['--nonsense'], NOBODY);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^Unknown option '--nonsense'\./);
  expect(stderr).not.toContain('    at ');
});
