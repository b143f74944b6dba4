import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { emptyBucket } from './remove/bucket.ts';
import { readStack } from './stage/stack.ts';

/* Removes a stage with its data: buckets are emptied, as CloudFormation does not, and the stack destroyed. */

const USAGE = 'npm run remove -- --stage <name>\nThe stage production is never removed by this program.\n';

const { values } = parseArgs({ options: { stage: { type: 'string' } } });
const { stage } = values;
if (!stage || stage === 'production') {
  process.stderr.write(USAGE);
  process.exit(1);
}

await remove(`retail-${stage}`).catch((error: unknown) => {
  process.stderr.write(`Not removed: ${error instanceof Error ? error.message : String(error)}
Run this again once that is mended: it goes on with what is left.\n`);
  process.exitCode = 1;
});

async function remove(name: string): Promise<void> {
  const { id, resources } = await readStack(name);
  for (const { type, name: bucket } of resources) {
    if (type === 'AWS::S3::Bucket') say(`${bucket}: ${await emptyBucket(bucket)} files were removed.`);
  }
  const args = ['cdk', 'destroy', name, '-c', `stage=${stage}`, '--force'];
  const [code] = await once(spawn('npx', args, { stdio: 'inherit' }), 'exit');
  if (code === 0) {
    const left = (await readStack(id)).resources.filter(({ isGone }) => !isGone);
    for (const resource of left) say(`Remains: ${resource.type} ${resource.name}`);
    say(`The stage ${stage} is removed. If they were made, these remain too: restored tables, the web ACL (stack
${name}-firewall in us-east-1), the backup that DynamoDB keeps of a deleted table for 35 days, and keys,
which KMS deletes after a waiting time.`);
  } else {
    process.stderr.write('Not removed. If a bucket had got new logs meanwhile, run this again.\n');
    process.exitCode = 1;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
