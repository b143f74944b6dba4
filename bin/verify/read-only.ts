import { documents } from '#lib/table/client.ts';

const READS = /^(Get|BatchGet|Query|Scan)/;

/**
 * From here on this process writes nothing to the table: not even what a reader of a list leaves to the next one, which
 * it is warned about for nothing.
 */
export function readOnly(): void {
  process.removeAllListeners('warning');
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!READS.test(commandName)) throw new Error(`${commandName} is refused: this only reads`);
        return next(args);
      },
    { step: 'initialize', priority: 'high', name: 'read-only', override: true },
  );
}
