/** Downloads: the operation redirects to a signed address that needs no key, like links of object storage (A43). */
import { openAsBlob } from 'node:fs';
import { operations } from '../../src/service/contract/index.ts';
import { digestOf } from '../deterministic-values.ts';
import { outputState } from './output-state.ts';
import { type OutputProducts, waitForOutput } from './output-products.ts';
import { refuse, refuseUnknown } from '../service-refusal.ts';
import { route, type Route } from './operation-route.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOutput } from '../state/stored-records.ts';

export interface DownloadDependencies {
  readonly seed: number;
  readonly now: () => number;
  readonly products: OutputProducts;
  readonly organizationOf: (id: string) => Organization;
}

const linkSeconds = 300;
const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export function createDownloadRoutes({ seed, products }: DownloadDependencies): readonly Route[] {
  return [
    route(
      operations.downloadExport,
      ({ organization, now, params }) => {
        const output = findExported(organization, params.export_job_id);
        const status = output && outputState(organization, output, now).status;
        if (!output || output.type === 'google_sheets' || status === 'FAILED') {
          throw refuseUnknown('EXPORT_JOB_NOT_FOUND', params.export_job_id);
        }
        if (status !== 'COMPLETED') {
          const message = 'The output is not COMPLETED; poll it until it is.';
          throw refuse('EXPORT_NOT_READY', message, { order_id: output.orderId });
        }
        const facts = [organization.id, output.exportJobId, now + linkSeconds * 1_000] as const;
        const token = [...facts, signatureOf(seed, ...facts)].join('.');
        return { status: 302, headers: { location: `/files/${token}/${nameOf(output)}` } };
      },
      async ({ organization, now, params }) => {
        const output = findExported(organization, params.export_job_id);
        if (output) await waitForOutput(organization, output, { now, products });
      },
    ),
  ];
}

/**
 * Serves a file by its signed address, without a key; not a part of the contract. 403 when the address is invalid
 * or expired, 404 when the file does not exist.
 */
export function createFileServer({ seed, now, products, organizationOf }: DownloadDependencies) {
  return async (token: string): Promise<Response> => {
    const [organizationId = '', exportJobId = '', expires = '', signature] = token.split('.');
    if (signature !== signatureOf(seed, organizationId, exportJobId, Number(expires)) || now() >= Number(expires)) {
      return new Response('This address is invalid or has expired.\n', { status: 403 });
    }
    const organization = organizationOf(organizationId);
    const output = findExported(organization, exportJobId);
    const order = output && organization.orders.get(output.orderId);
    const path = order && (await products.make(organization, order, output.type));
    if (!path || output.type === 'google_sheets') return new Response('There is no such file.\n', { status: 404 });
    const file = await openAsBlob(path);
    const headers = {
      'content-type': contentTypes[output.type],
      'content-length': String(file.size),
      'content-disposition': `attachment; filename="${nameOf(output)}"`,
    };
    return new Response(file.stream(), { headers });
  };
}

function findExported(organization: Organization, exportJobId: string): StoredOutput | undefined {
  const place = organization.exportJobs.get(exportJobId.toLowerCase());
  return place && organization.outputs(place.orderId).get(place.outputId);
}

function nameOf({ orderId, type }: StoredOutput): string {
  return `results-${orderId}.${type}`;
}

function signatureOf(seed: number, organizationId: string, exportJobId: string, expires: number): string {
  return digestOf(seed, 'file', organizationId, exportJobId, expires);
}
