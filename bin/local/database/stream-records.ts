import { DatabaseSync } from 'node:sqlite';

/**
 * Adds indexes on the stream's records to Dynoxide's database, which has none: it numbers each record after
 * the greatest, and reads all of them to find it. After 20 000 records a transaction of a hundred items took
 * 240 ms, with these indexes 20 ms, as in an empty table.
 */
export function indexStreamRecords(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE INDEX IF NOT EXISTS stream_records_by_number
      ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    CREATE INDEX IF NOT EXISTS stream_records_by_shard
      ON _stream_records (table_name, shard_id, sequence_number);
  `);
  database.close();
}
