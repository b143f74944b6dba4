import { dynamo } from '#lib/table/client.ts';

const READS = /^(Get|BatchGet|Query|Scan)/;

/**
 * Refuses this process all writes to the table. Warnings of refused writes would help nobody, so they are
 * silenced.
 */
export function readOnly(): void {
  process.removeAllListeners('warning');
  dynamo.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!READS.test(commandName)) throw new Error(`${commandName} is refused: this program only reads`);
        return next(args);
      },
    { step: 'initialize', priority: 'high', name: 'read-only', override: true },
  );
}
