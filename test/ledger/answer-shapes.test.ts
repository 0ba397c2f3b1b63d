import type { Observation } from '../../src/service/reading/answer-recorder.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const observed = (detail: string, seenAt: string): Observation => ({
  operation: 'getOrder',
  kind: 'type',
  path: 'title',
  detail,
  seenAt,
});

onDatabasesOfAll(({ newPlace, open }) => {
  describe('answerShapes', () => {
    it('keeps the time when each observation was first seen and that when it was last seen', async () => {
      const { answerShapes } = await open();
      await answerShapes.save('service a', [observed('string', '2026-11-02'), observed('null', '2026-11-02')]);
      await answerShapes.save('service a', [observed('string', '2026-11-05'), observed('null', '2026-11-01')]);
      await answerShapes.save('service b', [observed('array', '2026-11-05')]);
      const stored = await answerShapes.list('service a');
      expect(stored.toSorted((one, other) => one.detail.localeCompare(other.detail))).toEqual([
        {
          operation: 'getOrder',
          kind: 'type',
          path: 'title',
          detail: 'null',
          firstSeenAt: '2026-11-02',
          lastSeenAt: '2026-11-02',
        },
        {
          operation: 'getOrder',
          kind: 'type',
          path: 'title',
          detail: 'string',
          firstSeenAt: '2026-11-02',
          lastSeenAt: '2026-11-05',
        },
      ]);
    });

    it('accepts the observations of two workers at once', async () => {
      const place = await newPlace();
      const workers = [await open(place), await open(place)] as const;
      const fields = Array.from({ length: 1_200 }, (_, at) => ({
        ...observed('string', '2026-11-02'),
        path: `field_${at}`,
      }));
      await Promise.all([
        workers[0].answerShapes.save('service a', fields),
        workers[1].answerShapes.save('service a', fields.toReversed().concat(observed('null', '2026-11-02'))),
      ]);
      expect(await workers[0].answerShapes.list('service a')).toHaveLength(1_201);
    });
  });
});
