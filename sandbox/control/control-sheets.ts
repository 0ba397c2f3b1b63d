/** Reads what a Google Sheets output would have written; nothing is sent to Google. */
import { z } from 'zod';
import { Refusal } from '../service-refusal.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  organizationParams,
  operationDefaults,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sheetOperations = {
  readSheet: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/sheets/{spreadsheet_id}',
    summary: 'Read the spreadsheet that outputs were sent to',
    params: organizationParams.extend({ spreadsheet_id: z.string() }),
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1_000).optional(),
      offset: z.coerce.number().int().min(0).optional(),
    }),
    responses: {
      200: z.strictObject({
        header: z.array(z.string()).readonly(),
        rows: z.array(z.array(cell).readonly()).readonly(),
        total: z.int(),
      }),
      ...notFoundResponse,
    },
  },
} as const satisfies Record<string, ControlOperation>;

export function sheetRoutes(service: ServiceSandbox): ControlRoute[] {
  return [
    route(sheetOperations.readSheet, ({ params, query: { limit = 100, offset = 0 } }) => {
      const { organization_id, spreadsheet_id } = params;
      const sheet = service.readSheet(organization_id, { spreadsheetId: spreadsheet_id, limit, offset });
      if (sheet) return sheet;
      throw new Refusal(404, { code: 'SHEET_NOT_FOUND', message: 'No completed output went to this spreadsheet.' });
    }),
  ];
}
