import type { ExclusionTables } from './exclusion-rows.ts';
import type { CrmTables } from './crm-rows.ts';
import type { InboxTables } from './inbox-rows.ts';
import type { OutcomeName } from './crm-outcomes.ts';
import type { Kysely } from 'kysely';
import type { Observation } from '../service/reading/answer-recorder.ts';

/** The tables. Columns are snake_case in the database (CamelCasePlugin). JSON and times are text, so that both databases behave alike. */
export type Tables = ExclusionTables &
  InboxTables &
  CrmTables & {
    /** By the digest of all settings of the profile; `searchHash`: of those without its name. */
    profiles: {
      contentHash: string;
      searchHash: string;
      generation: number;
      creationId: string;
      profileId: string | null;
      status: string;
    };
    consoleActions: Record<'id' | 'at' | 'who' | 'command', string> & {
      page: string | null;
      code: number | null;
      endedAt: string | null;
    };
    /** `sourceJson`: a DraftSource. */
    drafts: { draftId: string; rowCount: number; sourceJson: string };
    /** Schedules that this installation has in Temporal. `pauseNote`: null unless it was paused when last seen. */
    appliedSchedules: { namespace: string; queue: string; runName: string; pauseNote: string | null };
    /** `ownJson`: the cells of the user's file. */
    draftRows: { draftId: string; position: number; json: string; sourceRow: number | null; ownJson: string | null };
    /** Rows of the source that match an exclusion and were not submitted. `json`: as in `draftRows`; `number`: from 0. */
    excludedRows: {
      draftId: string;
      number: number;
      sourceRow: number | null;
      json: string;
      exclusion: string;
      tier: string;
      entryId: string;
      /** Of the entry. */
      reason: string | null;
    };
    /**
     * Texts of the websites of delivered companies. `markdown`: null after erasure, and where the service has no text.
     * `markdownSha256`: its digest. `failures`: failed attempts to fetch it. `path`, `sha256`: file and digest.
     */
    websites: Record<'orderId' | 'urlsJson' | 'fetchedAt', string> &
      Record<
        'markdown' | 'markdownSha256' | 'observedAt' | 'fingerprint' | 'erasedAt' | 'path' | 'sha256',
        string | null
      > &
      Record<'position' | 'failures', number>;
    /** Invalid rows of the source that were left out. `json`: all cells as in `ownJson` of `draftRows`; `number`: from 0. */
    rejectedRows: { draftId: string; number: number; sourceRow: number; reasons: string; json: string };
    /** The CSV file of rejected rows. `contentSha256`: digest of its rows. */
    rejectFiles: {
      draftId: string;
      path: string;
      rows: number;
      sha256: string;
      contentSha256: string;
      writtenAt: string;
    };
    orders: {
      orderId: string;
      runName: string | null;
      kind: string;
      status: string;
      profileId: string | null;
      requestedCount: number;
      externalIdsAreRecordIds: number;
      total: number | null;
      summaryJson: string | null;
      firstSeenAt: string;
      /** The ordered features; null when unknown. */
      featuresJson: string | null;
      /** Slots that deliver a company; null until the results are collected. */
      delivered: number | null;
      /** Fewer delivered companies than this share of the ordered ones are a finding. null: only an empty delivery is a finding. */
      minDeliveredPercent: number | null;
      /** More enriched companies without people than this share are a finding. null: the default share. */
      maxWithoutPeoplePercent: number | null;
      /** A PlannedDelivery; null until the results are published. */
      deliveryJson: string | null;
      /** When it was stored. */
      deliveryAt: string | null;
      /** The title that the service returned; null if it returned none. */
      title: string | null;
      /** The run with whose settings the order was delivered last; null for orders that were not delivered yet. */
      deliveringRun: string | null;
      /** When the results were published, ISO 8601; null until they are collected. */
      publishedAt: string | null;
    };
    /** `scope`: `service ADDRESS` or `order ID`. */
    shapes: { scope: string; operation: string; json: string; learntAt: string };
    /** Observations in answers. `scope` as in `shapes`; `detail`: a type, a code or a version, see `Observation`. */
    answerShapes: {
      scope: string;
      operation: string;
      kind: Observation['kind'];
      path: string;
      detail: string;
      firstSeenAt: string;
      lastSeenAt: string;
    };
    orderRequests: {
      idempotencyKey: string;
      runName: string;
      runKey: string;
      title: string;
      profileId: string;
      /** The exact body of the request; null once the outcome is known. */
      bodyJson: string | null;
      /** `open`: possibly sent, with an unknown outcome. */
      state: 'open' | 'placed' | 'refused';
      orderId: string | null;
      at: string;
      kind: 'discovery' | 'enrichment';
      /** Rows of an enrichment, companies of a discovery. */
      quantity: number;
    };
    slots: {
      orderId: string;
      position: number;
      hash: string;
      status: string;
      reasonCodesJson: string;
      externalId: string | null;
      json: string;
    };
    /** Slots that were replaced by a changed version of the service, which a user has accepted. */
    replacedSlots: { orderId: string; position: number; hash: string; json: string; replacedAt: string };
    slotReasons: { orderId: string; code: string; position: number };
    /** Numbers of the passes of an order, by projection. */
    passes: { orderId: string; number: number; projectionId: string };
    /** One row for each pass over an item; the newest pass counts. */
    outcomes: {
      orderId: string;
      sink: string;
      position: number;
      item: string;
      pass: number;
      projectionId: string;
      planned: PlannedWrite | null;
      outcome: OutcomeName | null;
      rule: string | null;
      recordId: string | null;
      at: string;
      matchKey: string | null;
      matchedBy: string | null;
      candidatesJson: string | null;
      mappingVersion: string | null;
    };
    files: {
      orderId: string;
      kind: 'csv' | 'xlsx' | 'leaks';
      path: string;
      rows: number;
      bytes: number;
      sha256: string;
      writtenAt: string;
      /** Layout and digest of the rows; null for files of leaks. */
      contentJson: string | null;
    };
    /** Files and outputs of an order at paths where it no longer writes them. */
    formerFiles: Record<'orderId' | 'path' | 'sha256', string>;
    outputs: {
      orderId: string;
      /** Type, language and spreadsheet, which identify an output of the order. */
      destination: string;
      type: 'csv' | 'xlsx' | 'google_sheets';
      language: string;
      /** Counted from 0; increased after an attempt FAILED. */
      attempt: number;
      outputId: string | null;
      exportJobId: string | null;
      /** The status in the service. */
      status: string | null;
      state: OutputState;
      /** Reason code of an output that was not delivered. */
      problem: string | null;
      /** Ids, types and dates of the outputs that use up the limit of an order. */
      problemDetail: string | null;
      /** `adopted`: another program, or an earlier ledger, had it made. `own`: this installation requested it. */
      origin: (typeof outputOrigins)[number];
      resultCount: number | null;
      /** Digest of the result set, not of the file. */
      resultSha256: string | null;
      location: string | null;
      path: string | null;
      rows: number | null;
      bytes: number | null;
      /** Digest of the file. */
      sha256: string | null;
      at: string;
    };
    certificates: {
      orderId: string;
      at: string;
      reconciled: number;
      total: number;
      findingsJson: string;
      /** The signed document, and where it was written. */
      documentJson: string;
      path: string;
    };
    /** Digests without `message` and `label`: of the collected slot, and of the slot at the last reconciliation. null: no such slot. */
    slotDigests: { orderId: string; position: number; digest: string | null; rereadDigest: string | null };
    signingKeys: { purpose: string; privateKey: string; createdAt: string };
    /** `secret`: 32 bytes, base64url. `forgotten`: increased with every tombstone. `compacting`: SQLite's file must still be rewritten. */
    ledgerSettings: { name: 'secret' | 'forgotten' | 'compacting' | 'hubspot_portal'; value: string };
    /** `digest`: keyed digest of an identifier. The identifier itself is not stored. */
    tombstones: { digest: string; kind: string; at: string };
    /** `order`: retention erased all slots. `erasing`: this is in progress. `people`: people or companies were forgotten. */
    erasedOrders: { orderId: string; scope: 'erasing' | 'order' | 'people'; at: string };
    /** `file`: the kind of a written file, or the destination of an output. */
    erasedFiles: { orderId: string; file: string; at: string };
    /** Time at which retention first saw a row without a timestamp. */
    retentionMarks: { place: string; key: string; seenAt: string };
  };

export type PlannedWrite = 'create' | 'update';

export type Database = Kysely<Tables>;

/** States of an output of the service. `requested` and `ready` are intermediate; an output ends in one of the others. */
export const outputStates = [
  'requested',
  'ready',
  'delivered',
  'rows_differ',
  'failed',
  'refused',
  'unfinished',
  'not_fetched',
] as const;
export type OutputState = (typeof outputStates)[number];

export const outputOrigins = ['own', 'adopted'] as const;

/** The queries are the same for both. Only the statements that create tables differ. */
export type DatabaseKind = 'sqlite' | 'postgres';
