import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Company, Prospect, Slot } from '../../../src/service/contract/index.ts';
import type { CrmRecord, ObjectType } from '../../../src/hubspot/hubspot-record.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import type { OutcomeRow } from '../../../src/ledger/outcome-store.ts';
import { toCrmPlan, type CrmPlan, type Policy } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { projectSlots } from '../../../src/delivery/crm/project-slots.ts';
import { openSlotBatch, type Projection, type ProjectionDependencies } from '../../../src/delivery/crm/slot-batch.ts';
import type { HubSpotSandboxOptions } from '../../../sandbox/hubspot/hubspot-sandbox.ts';
import { createSandboxPortal } from '../../helpers/sandbox-portal.ts';
import { crmPlan } from '../../helpers/worker-configuration.ts';
import { company, prospect, slot } from '../mapping/slot-builders.ts';

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
  readonly force?: boolean;
  readonly leaks?: readonly number[];
  /** The dependencies of another run, whose calls are not recorded. */
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
  const { sandbox, portalId, connect, ...portal } = createSandboxPortal({ sandbox: { clock, ...options } });
  const calls: Call[] = [];
  const hooks: { path: RegExp; act: () => Promise<unknown> }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    calls.push({ path, body: request.method === 'POST' ? ((await request.clone().json()) as Call['body']) : {} });
    const at = hooks.findIndex((hook) => hook.path.test(path));
    if (at !== -1) await hooks.splice(at, 1)[0]?.act();
    return sandbox.fetch(request);
  };
  const hubspot = connect({ fetch });
  /** The client of other users, whose requests are not among the calls. */
  const otherClient = portal.client;
  await portal.ensureProperties();
  const openDependencies = async (): Promise<ProjectionDependencies> => {
    const folder = mkdtempSync(join(tmpdir(), 'projection-'));
    const ledger = await openLedger({ dataDir: folder });
    opened.push({ folder, ledger });
    return { hubspot, ledger, now: clock, signal: new AbortController().signal };
  };
  const dependencies = await openDependencies();

  const crm = {
    dependencies,
    openDependencies,
    otherClient,
    calls,
    faults: sandbox.faults(portalId),
    pass: (milliseconds: number) => void (now += milliseconds),
    /** Does this before the next call to the path. */
    before: (path: RegExp, act: () => Promise<unknown>) => void hooks.push({ path, act }),
    /** The calls that write. */
    writes: () => calls.filter(({ path }) => !/\/(batch\/read|search)$/.test(path)),

    create: (type: ObjectType, ...records: Record<string, string>[]) => portal.createRecords(type, records),
    edit: (type: ObjectType, id: string, properties: Record<string, string>) =>
      otherClient.objects.update(type, [{ id, properties }]),
    archive: (type: ObjectType, id: string) => otherClient.objects.archive(type, [id]),
    merge: portal.merge,
    unlink: portal.unlink,
    records: portal.records,
    async record(type: ObjectType, id: string | undefined | null): Promise<CrmRecord['properties'] | undefined> {
      return (await crm.records(type)).find((record) => record.id === id)?.properties;
    },
    /** Company ids with their association types, by contact. */
    links: async (...contactIds: string[]) => otherClient.associations.read('contacts', 'companies', contactIds),

    /** Creates a custom label from contacts to companies, and returns its type id. */
    defineLabel: async (label: string): Promise<number> => {
      const name = label.toLowerCase();
      const made = await portal.send<LabelsAnswer>('POST', `${links}/labels`, { label, name });
      return made.results[0].typeId;
    },
    /** Replaces the labels of a link by this custom one. */
    label: (contactId: string, companyId: string, associationTypeId: number) =>
      portal.send('POST', `${links}/batch/create`, {
        inputs: [
          {
            from: { id: contactId },
            to: { id: companyId },
            types: [{ associationCategory: 'USER_DEFINED', associationTypeId }],
          },
        ],
      }),
    /** The association types of a contact's links as `USER_DEFINED 3`, by company. */
    linkTypes: async (contactId: string): Promise<Record<string, string[]>> => {
      const read = await portal.send<LinksAnswer>('POST', `${links}/batch/read`, { inputs: [{ id: contactId }] });
      const toTypes = ({ toObjectId, associationTypes }: LinksAnswer['results'][0]['to'][number]) =>
        [toObjectId, associationTypes.map(({ category, typeId }) => `${category} ${typeId}`)] as const;
      return Object.fromEntries(read.results[0].to.map(toTypes));
    },

    outcomes: ({ ledger }: ProjectionDependencies = dependencies, orderId = 'order'): Promise<OutcomeRow[]> =>
      ledger.outcomes.read(orderId, { from: 0, to: 1_000 }),

    /** Stores the slots in the ledger like the collection does. */
    async prepare(slots: readonly Slot[], changes: Pass = {}): Promise<Projection> {
      const { orderId = 'order', dependencies: used = dependencies, leaks: _, ...pass } = changes;
      await used.ledger.slots.save(orderId, slots.map(toStored));
      const provenance = {
        order: { id: orderId, run: 'weekly', title: 'New companies' },
        mappingVersion: (pass.plan ?? crmPlan).mappingVersion,
      };
      const usual = {
        projectionId: 'first',
        plan: crmPlan,
        externalIdsAreRecordIds: true,
        onlyUnfinished: false,
        force: false,
      };
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

/** A company of this domain; no field has the value of another company. */
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

export function prospectAt(email: string | null, changes: Partial<Prospect> = {}): Prospect {
  return prospect({ email, first_name: `First ${email}`, id: toUuid(`person ${email}`), ...changes });
}

/** An enriched row with the company of this domain and contacts with these addresses. */
export function enrichedRow(
  position: number,
  domain: string | null,
  emails: readonly (string | null)[] = [],
  changes: Partial<Slot> = {},
): Slot {
  const prospects = emails.map((email) => prospectAt(email));
  return slot({ input_position: position, company: companyAt(domain, { prospects }), ...changes });
}

/** A row with a status and no company. */
export function rowWithStatus(position: number, status: Slot['status'], changes: Partial<Slot> = {}): Slot {
  return slot({ input_position: position, status, reason_codes: [], company: null, ...changes });
}

function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
