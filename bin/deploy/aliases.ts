import {
  CreateAliasCommand,
  ListAliasesCommand,
  paginateListFunctions,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { functionPrefix, LIVE } from '#infra/function-name.ts';
import { sideBySide } from '#lib/values/side-by-side.ts';
import { AT_ONCE, lambda, type Versions } from './lambda.ts';

/**
 * An alias of what was last well. No template has it: only a deployment that was tried moves it. Lambda
 * deletes no version under an alias, and both go with their function.
 */
export const GOOD = 'good';

/** Versions of a stage's functions. */
interface Aliases {
  readonly live: Versions;
  readonly good: Versions;
}

/** Reads where the aliases of a stage's functions point. A function that has none yet is left out. */
export async function readAliases(stage: string): Promise<Aliases> {
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    names.push(...Functions.flatMap(({ FunctionName = '' }) => FunctionName));
  }
  const own = names.filter((name) => name.startsWith(functionPrefix({ name: stage })));
  const found = await sideBySide(own, AT_ONCE, async (FunctionName) => {
    const { Aliases = [] } = await lambda.send(new ListAliasesCommand({ FunctionName }));
    return Aliases.map(({ Name, FunctionVersion = '' }) => [Name, FunctionName, FunctionVersion] as const);
  });
  const versionsAt = (alias: string) =>
    new Map(found.flat().flatMap(([name, of, version]) => (name === alias ? [[of, version] as const] : [])));
  return { live: versionsAt(LIVE), good: versionsAt(GOOD) };
}

/** How many functions were pointed elsewhere, and the commands for those that could not be. */
interface Pointed {
  readonly moved: number;
  readonly failed: readonly string[];
}

/**
 * Points an alias of every function at its version of `wanted`, unless it is there already. One that fails
 * keeps no other from being moved: it is told as the command that a person then types.
 */
export async function pointAt(alias: string, wanted: Versions, now: Versions): Promise<Pointed> {
  const elsewhere = [...wanted].filter(([name, version]) => now.get(name) !== version);
  const failed = await sideBySide(elsewhere, AT_ONCE, async ([FunctionName, FunctionVersion]) => {
    const pointed = { FunctionName, Name: alias, FunctionVersion };
    const isThere = now.has(FunctionName);
    try {
      await (isThere
        ? lambda.send(new UpdateAliasCommand(pointed))
        : lambda.send(new CreateAliasCommand(pointed)));
      return [];
    } catch {
      const command = `${isThere ? 'update' : 'create'}-alias --function-name ${FunctionName}`;
      return [`aws lambda ${command} --name ${alias} --function-version ${FunctionVersion}`];
    }
  });
  return { moved: elsewhere.length - failed.flat().length, failed: failed.flat() };
}
