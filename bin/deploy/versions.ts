import { DeleteFunctionCommand, paginateListVersionsByFunction } from '@aws-sdk/client-lambda';
import { sideBySide } from '#lib/values/side-by-side.ts';
import { readResources } from '../stage/stack.ts';
import { AT_ONCE, lambda, type Versions } from './lambda.ts';

/**
 * Reads which versions CloudFormation holds for live. It doesn't look where aliases really point: functions
 * that an earlier deployment pointed back, and that this one didn't change, are still on their old ones.
 */
export async function readPublished(stage: string): Promise<Versions> {
  return new Map(await versionsIn(`retail-${stage}`));
}

async function versionsIn(stack: string): Promise<[name: string, version: string][]> {
  const found = (await readResources(stack)).map(
    async ({ type, name, isGone }): Promise<[string, string][]> => {
      if (isGone) return [];
      if (type === 'AWS::CloudFormation::Stack') return await versionsIn(name);
      // arn:aws:lambda:<region>:<account>:function:<name>:<version>
      const [version = '', functionName = ''] = name.split(':').reverse();
      return type === 'AWS::Lambda::Version' ? [[functionName, version]] : [];
    },
  );
  return (await Promise.all(found)).flat();
}

/**
 * Removes the versions of functions that have got another that is well, but for that and the one that was
 * well before it; answers with how many.
 */
export async function removeOlder(good: Versions, now: Versions): Promise<number> {
  const changed = [...now].filter(([name, version]) => good.get(name) !== version);
  const removed = await sideBySide(changed, AT_ONCE, async ([FunctionName, live]) => {
    const versions: string[] = [];
    for await (const page of paginateListVersionsByFunction({ client: lambda }, { FunctionName })) {
      versions.push(...(page.Versions ?? []).flatMap(({ Version = '' }) => Version));
    }
    const kept = new Set(['$LATEST', live, good.get(FunctionName)]);
    const older = versions.filter((version) => !kept.has(version));
    for (const Qualifier of older) {
      await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
    }
    return older.length;
  });
  return removed.reduce((sum, count) => sum + count, 0);
}
