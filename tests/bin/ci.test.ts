import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/* Programs a pipeline calls, on a bare machine: a folder of stubs that only print their calls. */

const ROOT = join(import.meta.dirname, '../..');

/** Jobs that together are what runs without a job. */
const PARTS = ['check', 'test', 'tools', 'crash', 'infra'];

const JOBS = ['check', 'test', 'tools', 'crash', 'engine', 'infra'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Creates a machine whose user is root or is not, and may use sudo or may not. */
function newMachine({ user, hasSudo = true }: { readonly user: number; readonly hasSudo?: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'ci-'));
  for (const name of ['bash', 'dirname', 'mkdir', 'cat', 'chmod', 'env'])
    symlinkSync(pathOf(name), join(folder, name));
  const add = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!${pathOf('bash')}\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const program = (name: string) =>
    `printf '#!%s\\n' ${pathOf('bash')} >${folder}/${name}; chmod +x ${folder}/${name}`;
  add('id', `echo ${user}`);
  add('npm', `echo "npm $*"`);
  add('sudo', hasSudo ? 'echo "sudo $*" >&2; shift; AS_ROOT=1 exec "$@"' : 'exit 1');
  add(
    'apt-get',
    `[ -n "$AS_ROOT" ] || [ ${user} = 0 ] || exit 1
case "$*" in *libreoffice*) ${program('soffice')};; *chromium*) ${program('chromium')};; *jre*) ${program('java')};; esac`,
  );
  return {
    run: (job?: string) =>
      spawnSync(join(ROOT, '.ci/run'), job === undefined ? [] : [job], {
        env: { PATH: folder, HOME: folder },
        encoding: 'utf8',
      }),
    programs: () => readdirSync(folder),
  };
}

function pathOf(name: string): string {
  return spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
}

test('a plain user who may use sudo brings what tests look with, and runs the job', () => {
  const machine = newMachine({ user: 1000 });
  const { status, stdout, stderr } = machine.run('tools');
  expect(stderr).toContain('sudo -n apt-get install -y -qq --no-install-recommends libreoffice-calc');
  expect(machine.programs()).toEqual(expect.arrayContaining(['soffice', 'chromium', 'java']));
  expect(stdout).toBe('npm ci --no-audit --no-fund\nnpm run test:tools\n');
  expect(status).toBe(0);
});

test('root needs no sudo; a user without it is shown what to install', () => {
  expect(newMachine({ user: 0, hasSudo: false }).run('tools').status).toBe(0);
  const { status, stderr } = newMachine({ user: 1000, hasSudo: false }).run('tools');
  expect([status, stderr]).toEqual([
    1,
    'The tests need chromium here, and it could not be installed: apt-get install chromium\n',
  ]);
});

test.each(PARTS)('the job %s is a part of what runs without a job', (job) => {
  const { status, stdout } = newMachine({ user: 1000 }).run(job);
  expect(status).toBe(0);
  const [, ...said] = stdout.trim().split('\n');
  expect(said.length).toBeGreaterThan(0);
  for (const line of said) expect(read('tests/all.sh')).toContain(line);
});

test('the job of the second engine brings Java, and runs the tests of the table on it', () => {
  const machine = newMachine({ user: 1000 });
  expect(machine.run('engine').stdout).toBe('npm ci --no-audit --no-fund\nnpm run test:engine\n');
  expect(machine.programs()).toContain('java');
});

test('an unknown job is reported', () => {
  expect(newMachine({ user: 1000 }).run('nonsense')).toMatchObject({
    status: 1,
    stderr: 'There is no job nonsense. The jobs are check, test, tools, crash, infra and engine.\n',
  });
});

test('the pipeline runs every job of the script by the script, and the page says so', () => {
  const workflow = read('.github/workflows/ci.yml');
  const run = [...workflow.matchAll(/run: \.ci\/run (\w+)/g)].map(([, job]) => job);
  expect(run).toEqual(JOBS);
  expect([...workflow.matchAll(/^ {2}(\w+):\n {4}/gm)].map(([, job]) => job)).toEqual(JOBS);
  expect(read('docs/pipeline.md')).toContain('`.github/workflows/ci.yml`');
});
