import { operations, type ProfileCreation, type ProfileInput } from '../contract/index.ts';
import { readProfileCreation } from '../shape/read-answers.ts';
import { assertRequest, readUnspecified, type Api, type CallOptions } from './service-transport.ts';

const route = '/api/v1/search-profile-creations';
const creationRoute = '/api/v1/search-profile-creations/{profile_creation_id}';

export function createProfileClient(api: Api) {
  return {
    /** The same key and body return the same creation. */
    async create(input: ProfileInput, idempotencyKey: string, options: CallOptions = {}): Promise<ProfileCreation> {
      assertRequest({ method: 'POST', path: route }, operations.createProfile.body, input);
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const call = api.POST(route, { params, body: input, ...options });
      return readUnspecified(readProfileCreation, call, { method: 'POST', path: route });
    },

    async creation(profileCreationId: string, options: CallOptions = {}): Promise<ProfileCreation> {
      const params = { path: { profile_creation_id: profileCreationId } };
      const call = api.GET(creationRoute, { params, ...options });
      return readUnspecified(readProfileCreation, call, { method: 'GET', path: creationRoute });
    },
  };
}
