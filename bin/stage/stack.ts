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
 * Reads an output of a stage's stack; undefined if the stage does not exist, or its first deployment has not
 * completed.
 */
export async function findOutput(stage: string, output: Output): Promise<string | undefined> {
  const stack = await findStack(`retail-${stage}`);
  return stack?.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
}

/** Reads a stack by its name, or by its id if it may be deleted; undefined if it does not exist. */
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
 * Returns the account and region of an ARN. A stage that does not exist yet is where CDK has prepared the
 * account.
 */
export function placeIn(arn: string | undefined): string {
  const [, , , region, account] = (arn ?? '').split(':');
  return account === undefined ? 'an account that CDK has not prepared' : `account ${account}, ${region}`;
}

/** Returns the account and region of an existing or future stage. */
export async function placeOfStage(stage: string): Promise<string> {
  const stack = (await findStack(`retail-${stage}`)) ?? (await findStack('CDKToolkit'));
  return placeIn(stack?.StackId);
}

/** Finds the most recently deleted stack of a name, within ninety days. */
export async function findDeletedStack(name: string): Promise<string | undefined> {
  const deleted = paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] });
  for await (const { StackSummaries = [] } of deleted) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return found.StackId;
  }
  return undefined;
}

/**
 * Lists a stack's resources, by CloudFormation's type and their name in the account. A deleted stack is found
 * by its id only, and lists the resources it retained.
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
 * Returns the address to test a stage at. A custom domain leads nowhere until it points at CloudFront: until
 * then it is CloudFront's own name.
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
