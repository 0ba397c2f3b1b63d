import { z } from 'zod';
import { conflictSchema } from './errors.ts';
import { idInPath, invalid, missing, type Operation } from './operation.ts';
import { profileCreationAcceptedSchema, profileCreationSchema, profileInputSchema } from './profile.ts';

export const profileOperations = {
  createProfile: {
    method: 'post',
    path: '/api/v1/search-profile-creations',
    summary: 'Ask for a search profile',
    scopes: ['orders:write'],
    idempotency: 'required',
    params: null,
    query: null,
    body: profileInputSchema,
    responses: { 202: profileCreationAcceptedSchema, 409: conflictSchema, ...invalid },
  },
  getProfileCreation: {
    method: 'get',
    path: '/api/v1/search-profile-creations/{profile_creation_id}',
    summary: 'Poll a profile creation',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: z.object({ profile_creation_id: idInPath() }),
    query: null,
    body: null,
    responses: { 200: profileCreationSchema, ...missing },
  },
} as const satisfies Record<string, Operation>;
