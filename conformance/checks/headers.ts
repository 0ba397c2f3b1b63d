import { operations } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { readsOfUnknownIds } from './authentication.ts';

export const headerChecks: readonly Check[] = [
  {
    id: 'headers.json-errors',
    clause: 'Introduction: bodies are JSON',
    title: 'every read of an unknown id is answered in application/json',
    effect: 'read',
    async run(probe, { unknownId }) {
      for (const { operation, call } of readsOfUnknownIds(unknownId)) {
        const { about, status, headers, body } = await probe.raw.send(operation, call);
        const type = headers.get('content-type') ?? 'none';
        const isJson = /^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(type);
        probe.expect(isJson && body !== undefined, `${about}: the answer ${status} must be application/json`);
      }
    },
  },
  {
    id: 'headers.json-charset',
    clause: 'Introduction: bodies are JSON',
    title: 'text beyond ASCII comes back as it was sent',
    effect: 'write',
    async run(probe, { namePrefix }) {
      const name = `${namePrefix} Größe 株式会社 🏭`;
      const answer = await probe.ask(operations.createBlacklist, 201, {
        body: { name, description: 'Ünï — ‘quoted’ "\\' },
      });
      probe.expect(answer.name === name, 'POST /api/v1/blacklists: name must come back as it was sent');
      const read = await probe.ask(operations.getBlacklist, 200, { params: { blacklist_id: answer.id } });
      probe.expect(read.name === name, 'GET /api/v1/blacklists/{blacklist_id}: name must be as it was sent');
      probe.expect(
        read.description === 'Ünï — ‘quoted’ "\\',
        'GET /api/v1/blacklists/{blacklist_id}: description must be as it was sent',
      );
    },
  },
];
