import { lookup } from 'node:dns/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  paginateListStacks,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { print } from '../cli/main.ts';

type Output = 'TableName' | 'TimeZone' | 'Address' | 'Distribution';

const client = new CloudFormationClient({});

/** Reads an output of a deployed stage's stack. */
export async function outputOf(stage: string, output: Output): Promise<string> {
  const name = `retail-${stage}`;
  const stack = await findStack(name);
  if (!stack) throw new Error(`There is no stage ${stage} in this account and region.`);
  const found = stack.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (!found) throw new Error(`The stack ${name} has no output ${output}. Has its deployment ended?`);
  return found;
}

/**
 * Reads an output of a stage's stack; undefined if there is no stage yet, or its first deployment has not
 * ended.
 */
export async function findOutput(stage: string, output: Output): Promise<string | undefined> {
  const stack = await findStack(`retail-${stage}`);
  return stack?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
}

/** Reads a stack by its name, or by its id if it may be deleted; undefined if there is none. */
export async function findStack(nameOrId: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    return Stacks[0];
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('does not exist')) return undefined;
    throw error;
  }
}

/**
 * Tells in which account and region something is, by its ARN. A stage that is not there yet is where CDK has
 * prepared the account.
 */
export function placeIn(arn: string | undefined): string {
  const [, , , region, account] = (arn ?? '').split(':');
  return account === undefined ? 'an account that CDK has not prepared' : `account ${account}, ${region}`;
}

/** Tells in which account and region a stage is, or will be. */
export async function placeOfStage(stage: string): Promise<string> {
  const stack = (await findStack(`retail-${stage}`)) ?? (await findStack('CDKToolkit'));
  return placeIn(stack?.StackId);
}

/** Finds the stack of a name that was deleted last, within ninety days. */
export async function findDeletedStack(name: string): Promise<string | undefined> {
  const deleted = paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] });
  for await (const { StackSummaries = [] } of deleted) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return found.StackId;
  }
  return undefined;
}

/**
 * Reads a stack's resources, by CloudFormation's type and their name in the account. A stack that is deleted
 * is known by its id only, and says what it left.
 */
export async function readResources(nameOrId: string) {
  const resources: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: nameOrId })) {
    resources.push(...(page.StackResourceSummaries ?? []));
  }
  return resources.map(({ ResourceType: type = '', PhysicalResourceId: name = '', ResourceStatus }) => {
    const isGone = ResourceStatus === 'DELETE_COMPLETE';
    return { type, name, isGone };
  });
}

/**
 * Finds the address to try a stage at. A name of our own leads nowhere until someone points it at the content
 * network, which has a name of its own: then it is that.
 */
export async function findAddress(stage: string): Promise<string> {
  const address = await outputOf(stage, 'Address');
  const { hostname } = new URL(address);
  try {
    await lookup(hostname);
    return address;
  } catch {
    const network = await outputOf(stage, 'Distribution');
    if (network !== hostname)
      print(`${hostname} leads nowhere yet: point it at ${network}, which is tried here.`);
    return `https://${network}`;
  }
}
