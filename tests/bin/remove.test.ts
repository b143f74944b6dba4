import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Asked, serveBefore } from '#tests/kit/endpoint.ts';
import { runProgram } from '#tests/kit/program.ts';

/*
 * The program runs as it is, on the emulator of S3. Before that stands a small endpoint that lists versions,
 * which the emulator has not, and speaks CloudFormation's protocol. In the place of `cdk destroy` the stack's
 * resources are marked as deleted, but for a bucket that is not empty.
 */

const STACK = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/retail-dev/5f0e';

const s3 = new S3Client({ forcePathStyle: true });
const LOCAL = inject('settings')['AWS_ENDPOINT_URL_S3'] ?? '';

/** A version of a file, or the mark that it was deleted. */
interface Version {
  readonly key: string;
  readonly id: string;
  readonly isMark: boolean;
}

let endpoint: Awaited<ReturnType<typeof serveBefore>>;
let buckets: string[];
let destroyed: string[];
/** What a bucket holds that keeps versions, in place of what the emulator has of it. */
let versioned: Version[] | undefined;
/** A file that S3 refuses to delete. */
let stays: string | undefined;

beforeEach(async () => {
  buckets = [`files-${randomUUID()}`, `logs-${randomUUID()}`];
  destroyed = [];
  versioned = undefined;
  stays = undefined;
  for (const Bucket of buckets) await s3.send(new CreateBucketCommand({ Bucket }));
  endpoint = await serveBefore(LOCAL, answer);
});

afterEach(() => endpoint.close());

async function answer({ url, body }: Asked): Promise<string | undefined> {
  if (url.pathname === '/destroy') {
    destroyed.push(url.searchParams.get('args') ?? '');
    return 'done';
  }
  const bucket = url.pathname.replaceAll('/', '');
  if (url.searchParams.has('versions')) {
    return versioned && bucket === buckets[0] ? pageOf(versioned) : versionsOf(bucket);
  }
  if (url.searchParams.has('delete') && versioned && bucket === buckets[0]) return deleted(body);
  const action = new URLSearchParams(body).get('Action');
  if (action === 'DescribeStacks') return stacks();
  if (action === 'ListStackResources') return resources();
  return undefined;
}

async function filesIn(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = '' }) => Key);
}

/** Lists a page of versions, as of a bucket that keeps none: each file has the one that is named "null". */
async function versionsOf(bucket: string): Promise<string> {
  const keys = await filesIn(bucket);
  return pageOf(keys.map((key) => ({ key, id: 'null', isMark: false })));
}

/** Lists two a page, as S3 does a thousand. */
function pageOf(versions: readonly Version[]): string {
  const members = versions.slice(0, 2).map(({ key, id, isMark }) => {
    const tag = isMark ? 'DeleteMarker' : 'Version';
    return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId></${tag}>`;
  });
  return `<ListVersionsResult>${members.join('')}</ListVersionsResult>`;
}

/** Deletes the versions that are named, each by its key and its id, and nothing else. */
function deleted(body: string): string {
  const named = [...body.matchAll(/<Key>(.+?)<\/Key><VersionId>(.+?)<\/VersionId>/g)];
  const isNamed = ({ key, id }: Version) => named.some(([, k, v]) => k === key && v === id);
  versioned = versioned?.filter((version) => version.key === stays || !isNamed(version));
  const error = `<Error><Key>${stays}</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;
  return `<DeleteResult>${stays !== undefined && body.includes(stays) ? error : ''}</DeleteResult>`;
}

function stacks(): string {
  const member = `<member><StackName>retail-dev</StackName><StackId>${STACK}</StackId>
    <CreationTime>2026-11-21T10:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function resources(): string {
  const isDestroyed = destroyed.length > 0;
  const members = [
    ...buckets.map((name) => ['AWS::S3::Bucket', name, isDestroyed ? 'DELETE_COMPLETE' : 'CREATE_COMPLETE']),
    ['AWS::KMS::Key', 'key-1', isDestroyed ? 'DELETE_SKIPPED' : 'CREATE_COMPLETE'],
  ].map(
    ([type, name, status]) =>
      `<member><ResourceType>${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId>
       <ResourceStatus>${status}</ResourceStatus></member>`,
  );
  const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
  return `<ListStackResourcesResponse><ListStackResourcesResult>${summaries}</ListStackResourcesResult></ListStackResourcesResponse>`;
}

function remove(stage: string, exit = 0) {
  const commands = mkdtempSync(join(tmpdir(), 'retail-remove-'));
  const npx = join(commands, 'npx');
  const told = `curl -sfG -o /dev/null ${endpoint.url}/destroy --data-urlencode "args=$*"`;
  writeFileSync(npx, `#!/bin/sh\n${told}\nexit ${exit}\n`);
  chmodSync(npx, 0o755);
  return runProgram('remove', ['--stage', stage], {
    PATH: `${commands}${delimiter}${process.env['PATH']}`,
    AWS_ENDPOINT_URL_S3: endpoint.url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint.url,
  });
}

async function fill(): Promise<void> {
  const [files = '', logs = ''] = buckets;
  for (const Key of ['public/1.webp', 'public/2.webp', 'exports/3.xlsx']) {
    await s3.send(new PutObjectCommand({ Bucket: files, Key, Body: 'x' }));
  }
  await s3.send(new PutObjectCommand({ Bucket: logs, Key: 'bucket/1', Body: 'x' }));
}

test('a stage goes with its files, and what CloudFormation has left is told', async () => {
  await fill();
  const { code, stdout, stderr } = await remove('dev');
  expect(stderr).toBe('');
  expect(stdout).toContain(`${buckets[0]}: 3 files were removed.`);
  expect(stdout).toContain(`${buckets[1]}: 1 files were removed.`);
  expect(stdout).toContain('Remains: AWS::KMS::Key key-1');
  expect(code).toBe(0);
  expect((await Promise.all(buckets.map(filesIn))).flat()).toEqual([]);
  expect(destroyed).toEqual(['cdk destroy retail-dev -c stage=dev --force']);
});

test('production is refused, and nothing of it touched', async () => {
  await fill();
  const { code, stdout } = await remove('production');
  expect([code, stdout]).toEqual([1, '']);
  expect((await Promise.all(buckets.map(filesIn))).flat()).toHaveLength(4);
  expect(destroyed).toEqual([]);
});

test('a stack that CloudFormation could not delete ends it with 1', async () => {
  const { code, stderr } = await remove('dev', 1);
  expect(code).toBe(1);
  expect(stderr).toContain('Not removed.');
});

const VERSIONS: readonly Version[] = [
  { key: 'public/1.webp', id: 'v3', isMark: true },
  { key: 'public/1.webp', id: 'v2', isMark: false },
  { key: 'public/1.webp', id: 'v1', isMark: false },
  { key: 'public/2.webp', id: 'v1', isMark: false },
  { key: 'exports/3.xlsx', id: 'v1', isMark: true },
];

test('a bucket that keeps versions loses all of them, and the marks of what was deleted', async () => {
  versioned = [...VERSIONS];
  const { code, stdout } = await remove('dev');
  expect(versioned).toEqual([]);
  expect(stdout).toContain(`${buckets[0]}: 5 files were removed.`);
  expect(code).toBe(0);
});

test('a file that S3 keeps is told, and the stack is not touched', async () => {
  versioned = [...VERSIONS];
  stays = 'public/2.webp';
  const { code, stderr } = await remove('dev');
  expect(stderr).toContain(`public/2.webp of ${buckets[0]} stays: Access Denied`);
  expect(code).toBe(1);
  expect(destroyed).toEqual([]);
});
