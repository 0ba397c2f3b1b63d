import { defaultRequestSettings, type RequestSettings } from '../contract/request-settings.ts';
import { createBlacklistClient } from './blacklist-client.ts';
import { createOrderClient } from './order-client.ts';
import { assertRequest, read, readUnspecified } from './contract-calls.ts';
import { createApi, type Api, type CallOptions, type ProspectingSettings } from './service-transport.ts';
import {
  limits,
  listingPageSize,
  operations,
  type ProfileCreation,
  type ProfileInput,
  websiteMarkdownSchema,
} from '../contract/index.ts';
import { createAnswerRecorder, type RecordedAnswer } from '../reading/answer-recorder.ts';
import {
  readProfileCreation,
  isProblem,
  readResultsPage,
  type AnswerProblem,
  type ResultsPage,
} from '../reading/read-answers.ts';
import { readListingPage, type ListingPage } from '../reading/read-listing.ts';
import { createScopeProbes } from './scope-probes.ts';
import { createOutputClient } from './output-client.ts';
import { z } from 'zod';
import { readBoundedText, sendRequest } from '../../base/http/http-answer.ts';
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';

/** The client of the prospecting service. Every call checks its request against the contract, and throws ProspectingError only. */
export function createProspectingClient(
  settings: ProspectingSettings & {
    /** Configured name of the slots in a page of results. */
    readonly resultsItems?: string | null | undefined;
    /** `service.requests`. */
    readonly requests?: RequestSettings;
    /** `service.fields.order.order_id`. */
    readonly orderIdPath?: string | null | undefined;
  },
) {
  const { baseUrl, resultsItems = null, requests = defaultRequestSettings, orderIdPath = null } = settings;
  const answers = createAnswerRecorder();
  const recorded = { ...settings, onAnswer: (answer: RecordedAnswer) => answers.record(answer) };
  const api = createApi(recorded);
  return {
    blacklists: createBlacklistClient(api),
    profiles: createProfileClient(api),
    orders: createOrderClient(api, { requests, orderIdPath }),
    results: createResultClient(api, resultsItems),
    outputs: createOutputClient(api, recorded),
    deliveries: createDeliveryClient(api),
    // Refusals on purpose say nothing about the answers of a run.
    scopes: createScopeProbes(createApi(settings)),
    /** Records the version of the contract, if the service shows it. Never fails. */
    async recordContractVersion(): Promise<void> {
      answers.recordVersion('info.version', await readContractVersion(settings));
    },
    /** The ledger stores the service's shape by this address. */
    baseUrl,
    requests,
    /** The shapes of all answers to this client. */
    answers,
  };
}
export type ProspectingClient = ReturnType<typeof createProspectingClient>;

const profilesRoute = '/api/v1/search-profile-creations';
const creationRoute = '/api/v1/search-profile-creations/{profile_creation_id}';

function createProfileClient(api: Api) {
  return {
    /** The same key and body return the same creation. */
    async create(input: ProfileInput, idempotencyKey: string, options: CallOptions = {}): Promise<ProfileCreation> {
      assertRequest({ method: 'POST', path: profilesRoute }, operations.createProfile.body, input);
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const call = api.POST(profilesRoute, { params, body: input, ...options });
      return readUnspecified(readProfileCreation, call, { method: 'POST', path: profilesRoute });
    },

    async creation(profileCreationId: string, options: CallOptions = {}): Promise<ProfileCreation> {
      const params = { path: { profile_creation_id: profileCreationId } };
      const call = api.GET(creationRoute, { params, ...options });
      return readUnspecified(readProfileCreation, call, { method: 'GET', path: creationRoute });
    },
  };
}

const resultsRoute = '/api/v1/orders/{order_id}/results';

export interface StorablePage extends ResultsPage {
  /** By slot: the number of characters that were replaced because no database can store them. */
  readonly replaced: readonly number[];
}

/** @param itemsField configured name of the slots in a page (A01) */
function createResultClient(api: Api, itemsField: string | null) {
  return {
    /** One page of up to 100 published slots, unchanged. */
    async page(orderId: string, offset: number, options: CallOptions = {}): Promise<StorablePage> {
      const query = { limit: limits.resultsPage.max, offset };
      const call = api.GET(resultsRoute, { params: { path: { order_id: orderId }, query }, ...options });
      const request = { method: 'GET', path: resultsRoute.replace('{order_id}', orderId) };
      return readUnspecified(readPage, call, request);
    },
  };

  function readPage(answer: unknown, replacedIn: ReadonlyMap<unknown, number>): StorablePage | AnswerProblem {
    const page = readResultsPage(answer, itemsField);
    return isProblem(page) ? page : { ...page, replaced: page.slots.map((slot) => replacedIn.get(slot) ?? 0) };
  }
}

const listingRoute = '/api/v1/deliveries/{prospect_search_id}/companies';
const websiteRoute = '/api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown';

/** The specification does not show the answer (A25): only its text is required. */
const websiteSchema = websiteMarkdownSchema.partial().required({ markdown: true });

function createDeliveryClient(api: Api) {
  return {
    /** One page of the legacy listing of a profile, which includes companies of unrelated orders: it never reconciles an order. */
    async companies(prospectSearchId: string, offset: number, options: CallOptions = {}): Promise<ListingPage> {
      const params = { path: { prospect_search_id: prospectSearchId }, query: { limit: listingPageSize, offset } };
      const call = api.GET(listingRoute, { params, ...options });
      return readUnspecified(readListingPage, call, { method: 'GET', path: listingRoute });
    },

    /** Text of the website of a delivered company. @throws ProspectingError, status 404, when the service has none */
    async website(prospectSearchId: string, companyId: string, options: CallOptions = {}) {
      const params = { path: { prospect_search_id: prospectSearchId, company_id: companyId } };
      const call = api.GET(websiteRoute, { params, ...options });
      return read(websiteSchema, call, { method: 'GET', path: websiteRoute });
    },
  };
}

/** The specification names no address of the machine-readable description ("Versioning"); these are the usual ones. */
const usualPaths = ['/openapi.json', '/api/v1/openapi.json'];

const descriptionSchema = z.object({ openapi: z.string(), info: z.object({ version: z.string() }) });

/** `info.version` of the service's OpenAPI document; null when none is found, or the service does not answer. */
async function readContractVersion({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch,
  timeoutMs = 30_000,
}: ProspectingSettings): Promise<string | null> {
  for (const path of usualPaths) {
    const request = new Request(`${trimEndOf(baseUrl, '/')}${path}`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${apiKey()}`, accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await sendRequest(fetch, request, async (response) =>
      response.ok ? readBoundedText(response) : null,
    ).catch(() => null);
    const description = descriptionSchema.safeParse(text === null ? null : parseJsonWithinLimits(text));
    if (description.success) return description.data.info.version;
  }
  return null;
}
