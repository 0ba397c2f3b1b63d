import { z } from 'zod';
import { idSchema } from '../request-bodies.ts';
import { filterBranchSchema } from './list-filters.ts';

export const createSchema = z.object({
  name: z.string().min(1),
  objectTypeId: z.string(),
  processingType: z.enum(['MANUAL', 'DYNAMIC', 'SNAPSHOT']),
  filterBranch: filterBranchSchema.optional(),
});
export type ListCreate = z.infer<typeof createSchema>;

export const searchSchema = z.object({
  query: z.string().default(''),
  listIds: z.array(idSchema).optional(),
  processingTypes: z.array(z.string()).optional(),
  offset: z.number().int().min(0).default(0),
  count: z.number().int().min(1).max(500).default(20),
});

export const idsSchema = z.array(idSchema);
export const changeSchema = z.object({
  recordIdsToAdd: idsSchema.default([]),
  recordIdsToRemove: idsSchema.default([]),
});
