import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OFFICE } from './machine.ts';

const run = promisify(execFile);

/**
 * Converts a workbook with LibreOffice: to a PDF as printed, to the texts of its cells as displayed, or to a
 * workbook as LibreOffice saves it.
 */
export async function officeOpens(workbook: Uint8Array, as: 'pdf' | 'csv' | 'xlsx'): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'office-'));
  try {
    await writeFile(join(directory, 'book.xlsx'), workbook);
    const profile = `-env:UserInstallation=file://${directory}/profile`;
    // Texts in UTF-8, between commas.
    const format = as === 'csv' ? 'csv:Text - txt - csv (StarCalc):44,34,76' : as;
    const to = join(directory, 'made');
    const asked = ['--headless', '--convert-to', format, '--outdir', to, join(directory, 'book.xlsx')];
    await run(OFFICE ?? '', [profile, ...asked]);
    return await readFile(join(to, `book.${as}`));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
