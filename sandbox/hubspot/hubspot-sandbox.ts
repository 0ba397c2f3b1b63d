// The sandbox HubSpot: the part of HubSpot that the project uses, in memory.
import { createHubSpotApp } from './hubspot-app.ts';
import { bearerToken, answerInstrumented } from '../instrumented-requests.ts';
import { defaultAssumptions, type HubSpotAssumptions } from './hubspot-assumptions.ts';
import type { Faults } from '../fault-rules.ts';
import { forPath } from './fault-presets.ts';
import type { TokenAccess } from './request-middleware.ts';
import type { Rates } from './limits/subscription-plans.ts';
import { offsetMs } from './limits/time-zone.ts';
import type { Journal } from '../request-journal.ts';
import { ApiError } from './api-error.ts';
import { objectTypeOf } from './object-types.ts';
import { commit } from './objects/batch-write.ts';
import { createPlanner } from './objects/row-plan.ts';
import { createPortal, type AccountType, type Portal } from './portal/portal.ts';
import type { PortalSettings } from './portal/portal-settings.ts';
import type { ChangeSource } from './portal/crm-record.ts';
import { appSource, userSource } from './portal/property-history.ts';
import { hash, uuidFrom } from './seeded-values.ts';
import { allScopes } from './scopes.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

export class UnknownPortalError extends Error {
  override readonly name = 'UnknownPortalError';

  constructor(portalId: number) {
    super(`no portal ${portalId}`);
  }
}

export interface HubSpotSandboxOptions {
  /** The same seed and the same calls give the same ids, keys and order of results. Default `1`. */
  readonly seed?: string | number;
  readonly clock?: () => Date;
  /** Delay until the search finds a write, on `clock`. Default 0. */
  readonly searchLagMs?: number;
  readonly assumed?: Partial<HubSpotAssumptions>;
  /** Executes a request that no fault has replaced. */
  readonly execute?: (request: Request, proceed: (request: Request) => Promise<Response>) => Promise<Response>;
}

export interface PortalRequest extends PortalChange {
  readonly name: string;
  /** Default `STANDARD`. */
  readonly accountType?: AccountType;
}

export type PortalChange = Partial<PortalSettings> & {
  /** Calls since midnight in the portal's time zone. */
  readonly dailyUsed?: number;
};

export interface PortalState {
  readonly portalId: number;
  readonly name: string;
  readonly accountType: AccountType;
  readonly settings: Readonly<PortalSettings>;
  /** The limits that currently apply. */
  readonly rates: Rates;
  readonly dailyUsed: number;
}

export interface RecordEdit {
  /** `companies`, `contacts` and the like. */
  readonly objectType: string;
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Default: a user, in HubSpot's own pages. */
  readonly source?: ChangeSource;
}

export interface HubSpotSandbox {
  /**
   * Answers as api.hubapi.com does. Rejects only when a fault breaks the connection: the
   * server then closes the socket.
   */
  readonly fetch: Fetch;
  /** Creates a portal, and a token with every scope. */
  createPortal(options: PortalRequest): { portalId: number; token: string };
  /** Oldest first. */
  portals(): PortalState[];
  /** Changes only the given settings. Throws RangeError for an unknown time zone. */
  configure(portalId: number, change: PortalChange): PortalState;
  /** Each token belongs to an app of its own, so that histories of properties name another source. */
  createToken(options: { portalId: number; scopes: readonly string[] }): string;
  /** Changes a record as a user does in HubSpot, or another app. @returns false for a record that does not exist */
  editRecord(portalId: number, edit: RecordEdit): boolean;
  faults(portalId: number): Faults;
  /** Journal of the requests with a valid token of the portal; other requests are in no journal. */
  journal(portalId: number): Journal;
  /** Deletes the content of one portal or of all; portals and tokens are kept. */
  reset(portalId?: number): void;
}

const defaultUserId = 28_604_240;

/** Without a plan there are no rate limits. */
const usualSettings: PortalSettings = {
  searchLagMs: 0,
  timeZone: 'Europe/Berlin',
  requiredProperties: {},
  propertiesInUse: {},
  plan: 'none',
  increases: 0,
  rates: {},
};

export function createHubSpotSandbox(options: HubSpotSandboxOptions = {}): HubSpotSandbox {
  const seed = String(options.seed ?? 1);
  const clock = options.clock ?? (() => new Date());
  const { execute = (request, proceed) => proceed(request) } = options;
  const assumed = { ...defaultAssumptions, ...options.assumed };
  const usual = { ...usualSettings, searchLagMs: options.searchLagMs ?? 0 };
  const portals = new Map<number, Portal>();
  const keys = new Map<string, { portalId: number; scopes: ReadonlySet<string>; source: ChangeSource }>();
  let answers = 0;

  const portalOf = (portalId: number): Portal => {
    const portal = portals.get(portalId);
    if (!portal) throw new UnknownPortalError(portalId);
    return portal;
  };
  const open = (known: Pick<Portal, 'id' | 'name' | 'accountType' | 'settings'>) => {
    const { id, name, accountType, settings } = known;
    portals.set(id, createPortal({ id, name, accountType, settings, seed, clock, assumed }));
  };
  const accessOf = (request: Request): TokenAccess | undefined => {
    const token = bearerToken(request);
    const key = keys.get(token);
    return key && { key: token, portal: portalOf(key.portalId).actingAs(key.source), scopes: key.scopes };
  };
  const createToken: HubSpotSandbox['createToken'] = ({ portalId, scopes }) => {
    portalOf(portalId);
    const token = `pat-na1-${uuidFrom(`${seed}/key/${keys.size}`)}`;
    const others = [...keys.values()].filter((key) => key.portalId === portalId);
    keys.set(token, { portalId, scopes: new Set(scopes), source: appSource(others.length) });
    return token;
  };
  const app = createHubSpotApp({ accessOf, newCorrelationId: () => uuidFrom(`${seed}/answer/${(answers += 1)}`) });

  return {
    async fetch(request) {
      const portal = accessOf(request)?.portal;
      if (!portal) return app.fetch(request);
      const { journal } = portal;
      const faults: Faults = {
        ...portal.faults,
        take(call) {
          const rule = portal.faults.take(call);
          return rule && forPath(rule, call.path);
        },
      };
      const instrumentation = { faults, journal, now: () => clock().getTime(), owner: String(portal.id) };
      const proceed = async (executed: Request) => app.fetch(executed);
      return answerInstrumented(request, instrumentation, () => execute(request, proceed));
    },
    createPortal({ name, accountType = 'STANDARD', dailyUsed = 0, ...settings }) {
      offsetMs(0, settings.timeZone ?? 'UTC');
      const portalId = 20_000_000 + (hash(`${seed}/portal`) % 1_000_000) * 10 + portals.size;
      open({ id: portalId, name, accountType, settings: { ...usual, ...settings } });
      portalOf(portalId).limits.setDailyUsed(dailyUsed);
      return { portalId, token: createToken({ portalId, scopes: allScopes }) };
    },
    portals: () => [...portals.values()].map(toState),
    configure(portalId, { dailyUsed, ...change }) {
      const portal = portalOf(portalId);
      offsetMs(0, change.timeZone ?? 'UTC');
      Object.assign(portal.settings, change);
      portal.limits.applySettings();
      if (dailyUsed !== undefined) portal.limits.setDailyUsed(dailyUsed);
      return toState(portal);
    },
    createToken,
    editRecord(portalId, { objectType, id, properties, source = userSource(defaultUserId) }) {
      const portal = portalOf(portalId);
      const store = portal.store(objectTypeOf(objectType));
      const record = store.get(id);
      if (!record) return false;
      const plan = createPlanner(portal, store, 'single').change(record, properties);
      if ('failure' in plan) throw new ApiError(plan.failure.status, plan.failure.body);
      commit(portal, store, plan.write, source);
      return true;
    },
    faults: (portalId) => portalOf(portalId).faults,
    journal: (portalId) => portalOf(portalId).journal,
    reset(portalId) {
      const emptied = portalId === undefined ? [...portals.values()] : [portalOf(portalId)];
      emptied.forEach(open);
    },
  };
}

function toState({ id, name, accountType, settings, limits }: Portal): PortalState {
  return { portalId: id, name, accountType, settings, rates: limits.rates(), dailyUsed: limits.dailyUsed() };
}
