import { Hono } from 'hono';
import type { SandboxEnvironment } from './environment.ts';

/** Who the portal is, relative to `/account-info/v3`. Needs no scope. */
export function accountInfoRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().get('/details', (c) =>
    c.json({
      portalId: c.var.portal.id,
      accountType: c.var.portal.accountType,
      timeZone: 'Europe/Berlin',
      companyCurrency: 'EUR',
      additionalCurrencies: [],
      utcOffset: '+01:00',
      utcOffsetMilliseconds: 3_600_000,
      uiDomain: 'app.hubspot.com',
      dataHostingLocation: 'na1',
    }),
  );
}
