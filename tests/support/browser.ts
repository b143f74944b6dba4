import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { MAX_WAIT_MS } from './patience.ts';

/** Options of a browser in a container: no user namespaces, little shared memory, no graphics. */
const HEADLESS_FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

/** Starts the Chromium at a path, without a screen. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: HEADLESS_FLAGS, timeout: MAX_WAIT_MS });
}

/** Opens a page whose waits only end what hangs: by default they end after half a minute. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(MAX_WAIT_MS);
  return page;
}
