/** Opens a headless Chromium that is installed on this machine. Nothing is downloaded. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser, or null with a message on the terminal. */
export function findBrowser(): string | null {
  const found = places.find((place) => existsSync(place)) ?? null;
  if (found === null) process.stderr.write('skipped: no browser found (apt-get install chromium)\n');
  return found;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, as in CI; the browser opens only the test server.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
