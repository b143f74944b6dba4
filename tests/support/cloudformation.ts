/**
 * A function's versions, those that its aliases point at, and the one that CloudFormation holds for live;
 * none before the first deployment. `code` is the commit that each version was published of.
 */
export interface Deployed {
  versions: number[];
  live: number | undefined;
  good?: number;
  published?: number | undefined;
  code?: ReadonlyMap<number, number>;
}

export interface StackReply {
  readonly status: number;
  readonly body?: object | string;
}

const DENIED =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not yours</Message></Error></ErrorResponse>';

const HERE = 'arn:aws:cloudformation:eu-central-1:000000000000';

const AREA = `${HERE}:stack/retail-dev-trade/1`;

/** Creates the state of a stage's stack. */
export function newStackState() {
  return {
    /** False if the caller lacks the right to read stack resources. */
    isReadable: true,
    /** Final status of the stack, and the number of polls that still find it in progress. */
    status: 'UPDATE_COMPLETE',
    rolledBack: 'UPDATE_ROLLBACK_COMPLETE',
    inProgress: 0,
    outputs: new Map<string, string>(),
    updates: 0,
  };
}

type StackState = ReturnType<typeof newStackState>;

/** Answers with the stack of the stage, and within it one that holds all versions. */
export function stackOf(
  functions: ReadonlyMap<string, Deployed>,
  state: StackState,
  { name, action }: { readonly name: string; readonly action: string | null },
): StackReply {
  if (action === 'DescribeStacks') return { status: 200, body: describe(name, state) };
  if (!state.isReadable) return { status: 403, body: DENIED };
  const members = name === 'retail-dev' ? [resource('CloudFormation::Stack', AREA)] : versionsIn(functions);
  const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
  return {
    status: 200,
    body: `<ListStackResourcesResponse><ListStackResourcesResult>${summaries}</ListStackResourcesResult></ListStackResourcesResponse>`,
  };
}

/** Describes a stack; each poll brings it nearer to its end. */
function describe(stack: string, state: StackState): string {
  const status = state.inProgress-- > 0 ? 'UPDATE_IN_PROGRESS' : state.status;
  const changed = `2026-11-21T10:${String(state.updates).padStart(2, '0')}:00Z`;
  const outputs = [...state.outputs].map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const member = `<member><StackName>${stack}</StackName><StackId>${HERE}:stack/${stack}/1</StackId>
    <CreationTime>2026-11-20T10:00:00Z</CreationTime><LastUpdatedTime>${changed}</LastUpdatedTime>
    <StackStatus>${status}</StackStatus><Outputs>${outputs.join('')}</Outputs></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function versionsIn(functions: ReadonlyMap<string, Deployed>): string[] {
  const arn = 'arn:aws:lambda:eu-central-1:000000000000:function';
  return [...functions].flatMap(([name, { published }]) =>
    published === undefined ? [] : [resource('Lambda::Version', `${arn}:${name}:${published}`)],
  );
}

const resource = (type: string, name: string) =>
  `<member><ResourceType>AWS::${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId>
   <ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member>`;
