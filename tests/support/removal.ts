import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import { pathWithNpx } from './commands.ts';
import { type ReceivedCall, serveBefore } from './endpoint.ts';

/** Version of a file, or its delete marker. */
export interface FileVersion {
  readonly key: string;
  readonly id: string;
  readonly isMark: boolean;
}

const STACK = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/retail-dev/5f0e';

const s3 = new S3Client({ forcePathStyle: true });

/** Lists the files of a bucket. */
export async function filesIn(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = '' }) => Key);
}

/**
 * Serves a stage to be removed: two buckets of the emulator of S3, the operations it lacks (it lists no
 * versions), and CloudFormation's protocol. In the place of `cdk destroy` the stack's resources are marked as
 * deleted.
 */
export async function serveStage() {
  const buckets = [`files-${randomUUID()}`, `logs-${randomUUID()}`];
  const destroyed: string[] = [];
  const state: {
    isProtected: boolean;
    /** A bucket that an earlier try has removed. */
    gone?: string | undefined;
    /** File versions of the first bucket if it is versioned, in place of the emulator's. */
    versioned?: FileVersion[] | undefined;
    /** A file that S3 refuses to delete. */
    stays?: string;
  } = { isProtected: false };
  for (const Bucket of buckets) await s3.send(new CreateBucketCommand({ Bucket }));

  async function answer({ url, body, operation }: ReceivedCall): Promise<string | undefined> {
    if (url.pathname === '/destroy') {
      destroyed.push(url.searchParams.get('args') ?? '');
      return 'done';
    }
    const stack = new URLSearchParams(body).get('StackName');
    if (operation === 'DescribeStacks') return describeStack(stack);
    if (operation === 'ListStacks') return listDeletedStacks();
    if (operation === 'ListStackResources') return resources();
    return answerOfBucket(url, body);
  }

  async function answerOfBucket(url: URL, body: string): Promise<string | undefined> {
    const bucket = url.pathname.replaceAll('/', '');
    const isVersioned = state.versioned !== undefined && bucket === buckets[0];
    if (url.searchParams.has('versions')) {
      return isVersioned ? pageOf(state.versioned ?? []) : versionsOf(bucket);
    }
    return url.searchParams.has('delete') && isVersioned ? deleteVersions(body) : undefined;
  }

  /** Deletes only the named versions, each by its key and its id. */
  function deleteVersions(body: string): string {
    const { stays } = state;
    const named = [...body.matchAll(/<Key>(.+?)<\/Key><VersionId>(.+?)<\/VersionId>/g)];
    const isNamed = ({ key, id }: FileVersion) => named.some(([, k, v]) => k === key && v === id);
    state.versioned = state.versioned?.filter((version) => version.key === stays || !isNamed(version));
    const error = `<Error><Key>${stays}</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;
    return `<DeleteResult>${stays !== undefined && body.includes(stays) ? error : ''}</DeleteResult>`;
  }

  function describeStack(nameOrId: string | null): string {
    const isThere = destroyed.length === 0 || nameOrId === STACK;
    const member = `<member><StackName>retail-dev</StackName><StackId>${STACK}</StackId>
      <EnableTerminationProtection>${state.isProtected}</EnableTerminationProtection>
      <CreationTime>2026-11-21T10:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus></member>`;
    return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${isThere ? member : ''}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  }

  function listDeletedStacks(): string {
    const member = `<member><StackName>retail-dev</StackName><StackId>${STACK}</StackId>
      <CreationTime>2026-11-21T10:00:00Z</CreationTime><StackStatus>DELETE_COMPLETE</StackStatus></member>`;
    const members = destroyed.length > 0 ? member : '';
    return `<ListStacksResponse><ListStacksResult><StackSummaries>${members}</StackSummaries></ListStacksResult></ListStacksResponse>`;
  }

  function resources(): string {
    const isDestroyed = destroyed.length > 0;
    const members = [
      ...buckets.map((name) => [
        'AWS::S3::Bucket',
        name,
        isDestroyed || name === state.gone ? 'DELETE_COMPLETE' : 'CREATE_COMPLETE',
      ]),
      ['AWS::KMS::Key', 'key-1', isDestroyed ? 'DELETE_SKIPPED' : 'CREATE_COMPLETE'],
    ].map(
      ([type, name, status]) =>
        `<member><ResourceType>${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId>
       <ResourceStatus>${status}</ResourceStatus></member>`,
    );
    const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
    return `<ListStackResourcesResponse><ListStackResourcesResult>${summaries}</ListStackResourcesResult></ListStackResourcesResponse>`;
  }

  const { url, close } = await serveBefore(inject('settings')['AWS_ENDPOINT_URL_S3'] ?? '', answer);
  return { buckets, destroyed, state, close, env: environmentAt(url), fill: () => fill(buckets) };
}

/** Builds the environment of the program; its `cdk destroy` is a call like all others. */
function environmentAt(url: string) {
  const told = '$AWS_ENDPOINT_URL_CLOUDFORMATION/destroy --data-urlencode "args=$*"';
  return {
    PATH: pathWithNpx(`curl -sfG -X POST -o /dev/null ${told}\nexit \${CDK_CODE:-0}`),
    AWS_ENDPOINT_URL_S3: url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: url,
  };
}

async function fill([files = '', logs = '']: readonly string[]): Promise<void> {
  for (const Key of ['public/1.webp', 'public/2.webp', 'exports/3.xlsx']) {
    await s3.send(new PutObjectCommand({ Bucket: files, Key, Body: 'x' }));
  }
  await s3.send(new PutObjectCommand({ Bucket: logs, Key: 'bucket/1', Body: 'x' }));
}

/** Lists a page of versions, as of an unversioned bucket: each file has the one named "null". */
async function versionsOf(bucket: string): Promise<string> {
  const keys = await filesIn(bucket);
  return pageOf(keys.map((key) => ({ key, id: 'null', isMark: false })));
}

/** Lists two a page, as S3 does a thousand. */
function pageOf(versions: readonly FileVersion[]): string {
  const members = versions.slice(0, 2).map(({ key, id, isMark }) => {
    const tag = isMark ? 'DeleteMarker' : 'Version';
    return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId></${tag}>`;
  });
  return `<ListVersionsResult>${members.join('')}</ListVersionsResult>`;
}
