import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chooseEngine } from '#bin/local/database/engine.ts';

/*
 * Optional tools of some tests. Without them they are skipped with the sentence here, which `npm test` prints
 * in its last line; `.ci/run` installs all of them, and skips nothing.
 */

export const CHROMIUM = onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome');
export const OFFICE = onPath('soffice');

export const WITHOUT_CHROMIUM = CHROMIUM ? undefined : 'the page of the reference: apt-get install chromium';
export const WITHOUT_OFFICE = OFFICE
  ? undefined
  : 'workbooks in LibreOffice: apt-get install libreoffice-calc';
export const WITHOUT_LINUX =
  process.platform === 'linux' ? undefined : 'sockets and processes of the local run: only Linux has /proc';
export const WITHOUT_JAVA = onPath('java')
  ? undefined
  : 'DynamoDB Local: apt-get install openjdk-17-jre-headless';
export const WITHOUT_DYNOXIDE = isDynoxideHere() ? undefined : 'Dynoxide: npm has it for other machines';

function isDynoxideHere(): boolean {
  try {
    return chooseEngine('dynoxide').name === 'dynoxide';
  } catch {
    return false;
  }
}

/** Finds a program where a shell would. */
function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
