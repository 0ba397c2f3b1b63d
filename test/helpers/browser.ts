/** A headless Chromium of the machine: none is downloaded. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser, or null; says on the terminal what is missing. */
export function findBrowser(): string | null {
  const found = places.find((place) => existsSync(place)) ?? null;
  if (found === null) process.stderr.write('skipped: no browser found (apt-get install chromium)\n');
  return found;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's own sandbox does not work for root, which CI is; it opens nothing but the server of the test.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
