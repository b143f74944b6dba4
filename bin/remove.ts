import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { s3Client } from '#lib/files/storage.ts';
import { errorSentence } from './cli/error-sentence.ts';
import { main, print, requireOption, TEXT, UsageError } from './cli/main.ts';
import { prompt } from './cli/prompt.ts';
import { findDeletedStack, findStack, placeIn, readResources } from './stage/stack.ts';

/*
 * Removes a stage with its data: buckets are emptied, which CloudFormation does not do, and the stack is
 * destroyed.
 */

const USAGE = `npm run remove -- --stage <name> [--yes <name>]
Prompts for the stage's name again, unless --yes gives it. A protected stage is not removed.`;

await main(USAGE, { options: { stage: TEXT, yes: TEXT } }, async ({ values }) => {
  const stage = requireOption(values.stage, 'Which stage?');
  if (stage === 'production') throw new UsageError('The stage production is never removed by this program.');
  const name = `retail-${stage}`;
  const stack = await findStack(name);
  const id = stack?.StackId ?? (await findDeletedStack(name));
  if (!id) throw new Error(`There is no stage ${stage} in this account and region.`);
  if (stack?.EnableTerminationProtection)
    throw new Error(`${name} is protected. If it may go, deploy it with -c DISPOSABLE=true first.`);
  if (stack) {
    print(`Removes ${stage} of ${placeIn(id)}. That takes some half an hour.`);
    await confirm(stage, values.yes);
    await destroy(id, stage).catch((error: unknown) => {
      throw new Error(`Not removed: ${errorSentence(error)}
Run this again once that is fixed: it goes on with what is left.`);
    });
  }
  const left = (await readResources(id)).filter(({ isGone }) => !isGone);
  for (const resource of left) print(`Remains: ${resource.type} ${resource.name}`);
  print(`The stage ${stage} is removed. If they were made, these remain too: restored tables, the web ACL (stack
${name}-firewall in us-east-1), the backup that DynamoDB keeps of a deleted table for 35 days, and keys,
which KMS deletes after a waiting time.`);
});

async function confirm(stage: string, yes: string | undefined): Promise<void> {
  const typed = yes ?? (await prompt(`All data of ${stage} are lost. Type its name to remove it: `));
  if (typed !== stage) throw new Error(`Not removed: "${typed}" is not its name.`);
}

async function destroy(id: string, stage: string): Promise<void> {
  for (const { type, name, isGone } of await readResources(id)) {
    if (type !== 'AWS::S3::Bucket' || isGone) continue;
    print(`${name}: ${await emptyBucket(name)} files were removed.`);
  }
  const args = ['cdk', 'destroy', `retail-${stage}`, '-c', `stage=${stage}`, '--force'];
  const [code] = await once(spawn('npx', args, { stdio: 'inherit' }), 'exit');
  if (code !== 0)
    throw new Error('a bucket may have received new logs, or CDK has printed the reason above.');
}

/** Deletes all files of a bucket with all their versions; returns how many. */
async function emptyBucket(Bucket: string): Promise<number> {
  const { s3, ListObjectVersionsCommand, DeleteObjectsCommand } = await s3Client();
  let count = 0;
  for (;;) {
    // The versions of a page are deleted before the next is read, so that each page is the first.
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return count;
    const { Errors = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    const [failed] = Errors;
    if (failed) throw new Error(`${failed.Key} of ${Bucket} stays: ${failed.Message ?? failed.Code}`);
    count += Objects.length;
  }
}
