import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { type FileVersion, filesIn, serveStage } from '#tests/support/removal.ts';

/* The program runs as it is, on the emulator of S3, with an endpoint in the place of CloudFormation. */

let stage: Awaited<ReturnType<typeof serveStage>>;

beforeEach(async () => {
  stage = await serveStage();
});

afterEach(() => stage.close());

/** Ways to confirm the stage. */
interface Meant {
  readonly args?: readonly string[];
  readonly typed?: string;
}

function remove(name: string, code = 0, { args = ['--yes', name], typed = '' }: Meant = {}) {
  const env = { ...stage.env, CDK_CODE: String(code) };
  return runProgram('remove', ['--stage', name, ...args], env, { typed });
}

const remainingFiles = async () => (await Promise.all(stage.buckets.map(filesIn))).flat();

test('a stage goes with its files, and remaining resources are reported', async () => {
  await stage.fill();
  const { code, stdout, stderr } = await remove('dev');
  expect(stderr).toBe('');
  expect(stdout).toContain(`${stage.buckets[0]}: 3 files were removed.`);
  expect(stdout).toContain(`${stage.buckets[1]}: 1 files were removed.`);
  expect(stdout).toContain('Remains: AWS::KMS::Key key-1');
  expect(code).toBe(0);
  expect(await remainingFiles()).toEqual([]);
  expect(stage.destroyed).toEqual(['cdk destroy retail-dev -c stage=dev --force']);
});

test('a stage that was not deployed as one to throw away is refused, and nothing of it touched', async () => {
  await stage.fill();
  stage.state.isProtected = true;
  const { code, stdout, stderr } = await remove('dev');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('retail-dev is protected');
  expect(await remainingFiles()).toHaveLength(4);
  expect(stage.destroyed).toEqual([]);
});

test('production is refused, and nothing of it touched', async () => {
  await stage.fill();
  const { code, stdout } = await remove('production');
  expect([code, stdout]).toEqual([1, '']);
  expect(await remainingFiles()).toHaveLength(4);
  expect(stage.destroyed).toEqual([]);
});

test('a stage is removed only if its name is typed again', async () => {
  await stage.fill();
  for (const meant of [{ args: [] }, { args: [], typed: 'yes\n' }, { args: ['--yes', 'production'] }]) {
    const { code, stderr } = await remove('dev', 0, meant);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Not removed: ".*" is not its name\.\n$/);
  }
  expect(await remainingFiles()).toHaveLength(4);
  expect(stage.destroyed).toEqual([]);
  expect(await remove('dev', 0, { args: [], typed: 'dev\n' })).toMatchObject({ code: 0 });
  expect(stage.destroyed).toHaveLength(1);
});

test('the resources left by a removed stage are reported again; one that never was is reported in a sentence', async () => {
  await remove('dev');
  const { code, stdout } = await remove('dev');
  expect(code).toBe(0);
  expect(stdout).toContain('Remains: AWS::KMS::Key key-1');
  expect(stage.destroyed).toHaveLength(1);
  const { code: failed, stderr } = await remove('nowhere');
  expect([failed, stderr]).toEqual([1, 'There is no stage nowhere in this account and region.\n']);
});

test('a stack that CloudFormation could not delete ends it with 1', async () => {
  const { code, stderr } = await remove('dev', 1);
  expect(code).toBe(1);
  expect(stderr).toContain('Not removed');
});

test('a bucket that an earlier try has removed is passed by', async () => {
  await stage.fill();
  stage.state.gone = stage.buckets[0];
  const { code, stdout } = await remove('dev');
  expect(code).toBe(0);
  expect(stdout).not.toContain(`${stage.buckets[0]}:`);
});

const VERSIONS: readonly FileVersion[] = [
  { key: 'public/1.webp', id: 'v3', isMark: true },
  { key: 'public/1.webp', id: 'v2', isMark: false },
  { key: 'public/1.webp', id: 'v1', isMark: false },
  { key: 'public/2.webp', id: 'v1', isMark: false },
  { key: 'exports/3.xlsx', id: 'v1', isMark: true },
];

test('a bucket that keeps versions loses all of them, and the marks of what was deleted', async () => {
  stage.state.versioned = [...VERSIONS];
  const { code, stdout } = await remove('dev');
  expect(stage.state.versioned).toEqual([]);
  expect(stdout).toContain(`${stage.buckets[0]}: 5 files were removed.`);
  expect(code).toBe(0);
});

test('a file that S3 keeps is reported, and the stack is not touched', async () => {
  stage.state.versioned = [...VERSIONS];
  stage.state.stays = 'public/2.webp';
  const { code, stderr } = await remove('dev');
  expect(stderr).toContain(`public/2.webp of ${stage.buckets[0]} stays: Access Denied`);
  expect(code).toBe(1);
  expect(stage.destroyed).toEqual([]);
});
