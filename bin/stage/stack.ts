import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

/** A resource of a stack, by CloudFormation's type and its name in the account. */
interface Deployed {
  readonly type: string;
  readonly name: string;
  readonly isGone: boolean;
}

const client = new CloudFormationClient({});

/** Reads a stack's resources. One that is deleted is known by its id only, and says what it left. */
export async function readStack(nameOrId: string): Promise<{ id: string; resources: Deployed[] }> {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
  const id = Stacks[0]?.StackId ?? nameOrId;
  const resources: Deployed[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: id })) {
    for (const {
      ResourceType = '',
      PhysicalResourceId = '',
      ResourceStatus,
    } of page.StackResourceSummaries ?? []) {
      resources.push({
        type: ResourceType,
        name: PhysicalResourceId,
        isGone: ResourceStatus === 'DELETE_COMPLETE',
      });
    }
  }
  return { id, resources };
}
