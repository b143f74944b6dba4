import { expect, test } from 'vitest';
import { sharedStacks, stacksOf } from './synthesis.ts';

/** Types of resources with irreplaceable data. */
const HOLDING = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::KMS::Key',
  'AWS::SecretsManager::Secret',
];

/**
 * Logical ids of resources with data. Under another id CloudFormation would create an empty one, and leave or
 * delete the old. New resources are added here; existing lines never change.
 */
const PINNED: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableCD117FA1'],
  'AWS::S3::Bucket': ['FilesAccessLogsAAAD0C84', 'FilesBucket7C17EE2E'],
  'AWS::SQS::Queue': [
    'QueuesaskgatewayEB62DB54',
    'Queuesaskgatewaydeadletters12983002',
    'Queuesbroadcast052D3965',
    'QueuesbroadcastdeadlettersF916BBB2',
    'QueueschargetariffsD0C71B44',
    'QueueschargetariffsdeadlettersFF82EBC8',
    'Queuescopyunit19AA5F03',
    'Queuescopyunitdeadletters44CBB631',
    'Queuescreditpayments63EC0311',
    'QueuescreditpaymentsdeadlettersA710EFE3',
    'Queuesdeliverwebhooks48C7FD14',
    'QueuesdeliverwebhooksdeadlettersB0C08F9E',
    'Queuesdiscardfiles6ED110A4',
    'QueuesdiscardfilesdeadlettersA34288BE',
    'Queuesfinishcounts22AB465B',
    'Queuesfinishcountsdeadletters206C2FA7',
    'Queuesindexlists5BF91111',
    'Queuesindexlistsdeadletters603392FA',
    'Queuesknock04AF7375',
    'Queuesknockdeadletters2C0CFBA4',
    'QueueslookatminimumsD513075C',
    'QueueslookatminimumsdeadlettersBDCE3131',
    'Queuesrecoverjournals84B6BF34',
    'Queuesrecoverjournalsdeadletters26BC808B',
    'Queuesremindrefused5332FE28',
    'Queuesremindrefuseddeadletters7C13ACF2',
    'Queuessendnotices2AF07EB0',
    'QueuessendnoticesdeadlettersD25ED041',
    'Queuesstartrepricings4CC5FB39',
    'QueuesstartrepricingsdeadlettersD4633D83',
    'Queuessweepwebhooks6CA3AF4F',
    'QueuessweepwebhooksdeadlettersD39C3063',
    'Queueswatchfeed87BCC4A0',
    'Queueswatchfeeddeadletters8DD8C8D3',
  ],
  'AWS::KMS::Key': ['AlarmsKey3C2381B3', 'SecretsKey9BF95D68'],
  'AWS::SecretsManager::Secret': [
    'SecretsGateway17D7C1ADA',
    'SecretsGateway2FE3EEFD7',
    'SecretsOrigin140D6565A',
    'SecretsOrigin2482801BA',
    'SecretsSealing1C6D1A5D2',
    'SecretsSealing2321F5E89',
    'SecretsToken130D99505',
    'SecretsToken2A4F8F441',
  ],
};

test('what holds data keeps its id, in the stack itself, whatever file is renamed or moved', async () => {
  const { stack } = await sharedStacks({ stage: 'production' });
  const [main, ...nested] = stacksOf(stack);
  const holding = (main?.resources ?? []).filter(({ Type }) => HOLDING.includes(Type));
  const found = Object.fromEntries(
    HOLDING.map((type) => [
      type,
      holding
        .filter(({ Type }) => Type === type)
        .map(({ id }) => id)
        .sort(),
    ]),
  );
  expect(found).toEqual(PINNED);
  // A nested stack may be deleted with its area.
  const misplaced = nested.flatMap(({ resources }) => resources.filter(({ Type }) => HOLDING.includes(Type)));
  expect(misplaced).toEqual([]);
  for (const resource of holding.filter(({ Type }) => Type !== 'AWS::SQS::Queue')) {
    expect([resource.id, resource['DeletionPolicy']]).toEqual([resource.id, 'Retain']);
  }
});
