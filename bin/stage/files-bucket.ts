import { readResources } from './stack.ts';

/** Finds the bucket of a stage's files. Here it is in the environment. */
export async function findFilesBucket(stage: string | undefined): Promise<string | undefined> {
  if (stage === undefined) return process.env['FILES_BUCKET'];
  const buckets = (await readResources(`retail-${stage}`)).filter(({ type }) => type === 'AWS::S3::Bucket');
  return buckets.map(({ name }) => name).find((name) => name.includes('-filesbucket'));
}
