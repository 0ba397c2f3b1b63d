import { Hono } from 'hono';
import type { SandboxEnvironment } from '../request-environment.ts';
import { offsetMs, offsetText } from '../limits/time-zone.ts';

/** Who the portal is, relative to `/account-info/v3` and the like. Needs no scope. */
export function accountInfoRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().get('/details', (c) => {
    const { id, accountType, settings, clock } = c.var.portal;
    const { timeZone } = settings;
    const now = clock().getTime();
    return c.json({
      portalId: id,
      accountType,
      timeZone,
      companyCurrency: 'EUR',
      additionalCurrencies: [],
      utcOffset: offsetText(now, timeZone),
      utcOffsetMilliseconds: offsetMs(now, timeZone),
      uiDomain: 'app.hubspot.com',
      dataHostingLocation: 'na1',
    });
  });
}
