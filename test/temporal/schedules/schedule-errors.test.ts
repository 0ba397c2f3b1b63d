import { ServiceError } from '@temporalio/client';
import { ScheduleError, toScheduleError } from '../../../src/temporal/schedules/schedule-errors.ts';

const grpc = (code: number, details: string) =>
  Object.assign(new Error(`${code} X: ${details}`), { code, details, metadata: {} });
const failed = (cause: Error) => new ServiceError('Failed to patch schedule', { cause });

describe('toScheduleError', () => {
  it.each([4, 14])('reports that an unanswered request may have been carried out (%d)', (code) => {
    for (const error of [grpc(code, 'no answer'), failed(grpc(code, 'no answer'))]) {
      const converted = toScheduleError(error);
      expect(converted).toBeInstanceOf(ScheduleError);
      expect(String(converted)).toMatch(/is unavailable: no answer\. .*may have been carried out/);
    }
  });

  it('returns the reason of the server, not that of the client', () => {
    expect(String(toScheduleError(failed(grpc(3, 'notes exceed the limit'))))).toBe(
      'ScheduleError: Temporal rejected the request: notes exceed the limit',
    );
  });

  it('returns errors that do not come from Temporal unchanged', () => {
    for (const error of [new TypeError('bug'), new ScheduleError('said already'), 'text'])
      expect(toScheduleError(error)).toBe(error);
  });
});
