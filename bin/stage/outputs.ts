import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

type Output = 'TableName' | 'TimeZone' | 'Address' | 'Distribution';

/** Reads an output of a deployed stage's stack. */
export async function outputOf(stage: string, output: Output): Promise<string> {
  const name = `retail-${stage}`;
  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  const found = outputs.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (!found) throw new Error(`The stack ${name} has no output ${output}. Has its deployment ended?`);
  return found;
}
