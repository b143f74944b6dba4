import { s3Client } from '#lib/files/storage.ts';

/** Removes all files of a bucket, with all their versions; answers with how many those were. */
export async function emptyBucket(Bucket: string): Promise<number> {
  const { s3, ListObjectVersionsCommand, DeleteObjectsCommand } = await s3Client();
  let count = 0;
  for (;;) {
    // The versions of a page are gone before the next is asked for, so that each page is the first.
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
