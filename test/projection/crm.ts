// A stand-in of HubSpot, a ledger of its own, and what projects slots into them; no service and no Temporal.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Company, Prospect, Slot } from '../../src/contract/index.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import type { OutcomeRow } from '../../src/ledger/outcomes.ts';
import {
  defaultContactPolicy,
  toCrmPlan,
  type CrmPlan,
  type Policy,
  defaultMapping,
} from '../../src/mapping/crm-plan.ts';
import { projectSlots } from '../../src/projection/project-slots.ts';
import { propertyNames } from '../../src/projection/record-match.ts';
import { openSlotBatch, type Projection, type ProjectionDependencies } from '../../src/projection/slot-batch.ts';
import { createHubSpotSandbox, type HubSpotSandboxOptions } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createJumpingClock } from '../helpers/jumping-clock.ts';
import { company, prospect, slot } from '../mapping/fixtures.ts';

export const plan = toCrmPlan(defaultMapping, defaultContactPolicy);

/** The plan with another policy for a property of companies or contacts. */
export function planWith(type: ObjectType, property: string, policy: Policy): CrmPlan {
  const field = { ...defaultMapping[type][property], policy } as (typeof defaultMapping)[typeof type][string];
  const mapping = { ...defaultMapping, [type]: { ...defaultMapping[type], [property]: field } };
  return toCrmPlan(mapping, defaultContactPolicy);
}

export interface Call {
  readonly path: string;
  readonly body: { inputs?: Record<string, unknown>[] };
}

export interface Pass {
  readonly orderId?: string;
  readonly projectionId?: string;
  readonly plan?: CrmPlan;
  readonly externalIdsAreRecordIds?: boolean;
  readonly onlyUnfinished?: boolean;
  readonly leaks?: readonly number[];
  /** Instead of those that are not spied on. */
  readonly dependencies?: ProjectionDependencies;
}

interface LabelsAnswer {
  readonly results: [{ readonly typeId: number }];
}

interface LinksAnswer {
  readonly results: [
    { readonly to: { toObjectId: string; associationTypes: { category: string; typeId: number }[] }[] },
  ];
}

const links = '/crm/v4/associations/contacts/companies';

const opened: { folder: string; ledger: Ledger }[] = [];

afterEach(async () => {
  for (const { folder, ledger } of opened.splice(0)) {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});

export async function createCrm(options: HubSpotSandboxOptions = {}) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const clock = () => new Date(now);
  const portals = createHubSpotSandbox({ clock, ...options });
  const { portalId, token } = portals.createPortal({ name: 'test' });
  const calls: Call[] = [];
  const hooks: { path: RegExp; act: () => Promise<unknown> }[] = [];
  const connect = (fetch: (request: Request) => Promise<Response>) =>
    createHubSpotClient({ baseUrl: 'http://hubspot.test', token, fetch, ...createJumpingClock() });
  const hubspot = connect(async (request) => {
    const path = new URL(request.url).pathname;
    calls.push({ path, body: request.method === 'POST' ? ((await request.clone().json()) as Call['body']) : {} });
    const at = hooks.findIndex((hook) => hook.path.test(path));
    if (at !== -1) await hooks.splice(at, 1)[0]?.act();
    return portals.fetch(request);
  });
  /** What people do in the CRM meanwhile: not among the calls. */
  const people = connect(portals.fetch);
  for (const type of ['companies', 'contacts'] as const) {
    await people.properties.ensure(type, { group: propertyGroup, properties: managedProperties[type] });
  }
  const openDependencies = async (): Promise<ProjectionDependencies> => {
    const folder = mkdtempSync(join(tmpdir(), 'projection-'));
    const ledger = await openLedger({ dataDir: folder });
    opened.push({ folder, ledger });
    return { hubspot, ledger, now: clock, signal: new AbortController().signal };
  };
  const dependencies = await openDependencies();

  const post = async <Answer = { id: string }>(path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await portals.fetch(
      new Request(`http://hubspot.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as Answer;
  };

  const crm = {
    dependencies,
    openDependencies,
    people,
    calls,
    faults: portals.faults(portalId),
    pass: (milliseconds: number) => void (now += milliseconds),
    /** Before the next call to this path. */
    before: (path: RegExp, act: () => Promise<unknown>) => void hooks.push({ path, act }),
    /** The calls that change something, as `companies/batch/update`. */
    writes: () => calls.filter(({ path }) => !/\/(batch\/read|search)$/.test(path)),

    async create(type: ObjectType, ...records: Record<string, string>[]): Promise<string[]> {
      const created = await people.objects.create(
        type,
        records.map((properties) => ({ properties })),
      );
      return created.map((result) => {
        if (!result.ok) throw result.error;
        return result.id;
      });
    },
    edit: (type: ObjectType, id: string, properties: Record<string, string>) =>
      people.objects.update(type, [{ id, properties }]),
    archive: (type: ObjectType, id: string) => people.objects.archive(type, [id]),
    /** The id of what the two became. */
    merge: async (type: ObjectType, primaryObjectId: string, objectIdToMerge: string) =>
      (await post(`/crm/v3/objects/${type}/merge`, { primaryObjectId, objectIdToMerge })).id,

    async records(type: ObjectType): Promise<CrmRecord[]> {
      const properties = propertyNames(type === 'companies' ? type : 'contacts', defaultMapping);
      const all: CrmRecord[] = [];
      for await (const page of people.objects.list(type, { properties })) all.push(...page);
      return all;
    },
    async record(type: ObjectType, id: string | undefined | null): Promise<CrmRecord['properties'] | undefined> {
      return (await crm.records(type)).find((record) => record.id === id)?.properties;
    },
    /** Company ids with the types of link, by contact. */
    links: async (...contactIds: string[]) => people.associations.read('contacts', 'companies', contactIds),

    /** Removes the link of a contact and a company. */
    unlink: async (contactId: string, companyId: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ inputs: [{ from: { id: contactId }, to: [{ id: companyId }] }] });
      const url = `http://hubspot.test${links}/batch/archive`;
      expect((await portals.fetch(new Request(url, { method: 'POST', headers, body }))).status).toBe(204);
    },

    /** A label of people's own, from contacts to companies: its number. */
    defineLabel: async (label: string): Promise<number> => {
      const name = label.toLowerCase();
      const made = await post<LabelsAnswer>(`${links}/labels`, { label, name });
      return made.results[0].typeId;
    },
    /** Gives a link this label of people's own, and no other. */
    label: (contactId: string, companyId: string, associationTypeId: number) =>
      post(`${links}/batch/create`, {
        inputs: [
          {
            from: { id: contactId },
            to: { id: companyId },
            types: [{ associationCategory: 'USER_DEFINED', associationTypeId }],
          },
        ],
      }),
    /** The types of a contact's links as `USER_DEFINED 3`, by company. */
    linkTypes: async (contactId: string): Promise<Record<string, string[]>> => {
      const read = await post<LinksAnswer>(`${links}/batch/read`, { inputs: [{ id: contactId }] });
      const toTypes = ({ toObjectId, associationTypes }: LinksAnswer['results'][0]['to'][number]) =>
        [toObjectId, associationTypes.map(({ category, typeId }) => `${category} ${typeId}`)] as const;
      return Object.fromEntries(read.results[0].to.map(toTypes));
    },

    outcomes: ({ ledger }: ProjectionDependencies = dependencies, orderId = 'order'): Promise<OutcomeRow[]> =>
      ledger.outcomes.read(orderId, { from: 0, to: 1_000 }),

    /** The slots are in the ledger, as collected. */
    async prepare(slots: readonly Slot[], changes: Pass = {}): Promise<Projection> {
      const { orderId = 'order', dependencies: used = dependencies, leaks: _, ...pass } = changes;
      await used.ledger.slots.save(orderId, slots.map(toStored));
      const provenance = { orderId, runName: 'weekly', mappingVersion: (pass.plan ?? plan).mappingVersion };
      const usual = { projectionId: 'first', plan, externalIdsAreRecordIds: true, onlyUnfinished: false };
      return { orderId, provenance, ...usual, ...pass };
    },

    /** One pass over the slots of an order. `summary`: `0 company created`, `0 contact:0 skipped no_email`, by position. */
    async project(slots: readonly Slot[], changes: Pass = {}): Promise<{ summary: string[]; outcomes: OutcomeRow[] }> {
      const { orderId = 'order', dependencies: used = dependencies, leaks = [] } = changes;
      const projection = await crm.prepare(slots, changes);
      const stored = await used.ledger.slots.readParsed(orderId, { from: 0, to: slots.length });
      await projectSlots(used, [await openSlotBatch(used, projection, stored, new Set(leaks))]);
      const outcomes = await crm.outcomes(used, orderId);
      const summary = outcomes.map(({ position, item, outcome, rule }) =>
        [position, item, outcome, ...(rule === null ? [] : [rule])].join(' '),
      );
      return { summary, outcomes };
    },
  };
  return crm;
}
export type Crm = Awaited<ReturnType<typeof createCrm>>;

function toStored(published: Slot) {
  const json = JSON.stringify(published);
  return {
    position: published.input_position,
    hash: createHash('sha256').update(json).digest('hex'),
    status: published.status,
    reasonCodes: published.reason_codes,
    externalId: published.external_id ?? null,
    json,
  };
}

/** A company of this domain, and nothing that would be the same in another. */
export function companyAt(domain: string | null, changes: Partial<Company> = {}): Company {
  const website = domain === null ? null : `https://${domain}`;
  return company({
    name: `Company ${domain}`,
    domain,
    website_url: website,
    id: toUuid(`company ${domain}`),
    ...changes,
  });
}

export function personAt(email: string | null, changes: Partial<Prospect> = {}): Prospect {
  return prospect({ email, first_name: `First ${email}`, id: toUuid(`person ${email}`), ...changes });
}

/** Row `position` of the order, enriched with the company of this domain and people with these addresses. */
export function rowOf(
  position: number,
  domain: string | null,
  emails: readonly (string | null)[] = [],
  changes: Partial<Slot> = {},
): Slot {
  const prospects = emails.map((email) => personAt(email));
  return slot({ input_position: position, company: companyAt(domain, { prospects }), ...changes });
}

/** A row of which nothing is known but how it ended. */
export function endedAs(position: number, status: Slot['status'], changes: Partial<Slot> = {}): Slot {
  return slot({ input_position: position, status, reason_codes: [], company: null, ...changes });
}

function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
