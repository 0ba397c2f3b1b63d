/** Opens a headless Chromium that is installed on this machine. Nothing is downloaded. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser; null where there is none. */
export function findBrowser(): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, as in CI; the browser opens only the test server.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
