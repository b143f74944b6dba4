import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { readSheet } from '#lib/files/workbook/read.ts';

/* A thread that reads one workbook, and posts its rows with the processor time and memory that it took. */

const Input = z.object({
  book: z.instanceof(Uint8Array),
  limits: z.object({ columns: z.int(), max: z.int() }),
});

const { book, limits } = Input.parse(workerData);
const before = process.memoryUsage.rss();
const began = process.cpuUsage();
const rows = await readSheet(Buffer.from(book.buffer, book.byteOffset, book.byteLength), limits).then(
  (sheet) => sheet.rows,
  () => 'refused' as const,
);
const { user, system } = process.cpuUsage(began);
const bytes = process.memoryUsage.rss() - before;
parentPort?.postMessage({ rows, cpu: (user + system) / 1000, bytes });
