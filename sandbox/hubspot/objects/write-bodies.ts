import { z } from 'zod';
import { inlineAssociationSchema } from '../associations/association-bodies.ts';
import { idSchema } from '../request-bodies.ts';

const properties = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const objectWriteTraceId = z.string().optional();
const idProperty = z.string().optional();

const associations = z.array(inlineAssociationSchema).optional();

export const createSchema = z.object({ properties, associations });
export const updateSchema = z.object({ properties });

const identified = z.object({ id: idSchema, idProperty, properties, objectWriteTraceId });
export type IdentifiedRow = z.infer<typeof identified>;

export const batchCreateSchema = z.object({
  inputs: z.array(z.object({ properties, associations, objectWriteTraceId })),
});
/** Body of batch update and batch upsert. */
export const batchChangeSchema = z.object({ inputs: z.array(identified) });
export const batchIdsSchema = z.object({ inputs: z.array(z.object({ id: idSchema })) });
export const batchReadSchema = z.object({
  inputs: z.array(z.object({ id: idSchema })),
  idProperty,
  properties: z.array(z.string()).default([]),
  propertiesWithHistory: z.array(z.string()).default([]),
});
