import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { CodecError } from '../../src/temporal/codec/encryption-codec.ts';
import { formatLine, toLogLine } from '../../src/base/logs.ts';

const at = new Date('2026-11-21T12:00:00.500Z');
const orderId = '3f0d1f8e-0000-4000-8000-000000000001';

describe('formatLine', () => {
  const line = {
    level: 'warn',
    message: 'Activity failed',
    fields: { order: orderId, attempt: 2, run: undefined },
  } as const;

  it('writes one JSON object per line', () => {
    const text = formatLine('json', { ...line, message: 'two\nlines' }, at);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({
      time: '2026-11-21T12:00:00.500Z',
      level: 'warn',
      message: 'two\nlines',
      order: orderId,
      attempt: 2,
    });
  });

  it('escapes foreign texts, so no part of them looks like a log entry', () => {
    const forged = {
      ...line,
      message: 'a\n12:00:01 info  b\u001B[2J',
      fields: { order: 'c\n12:00:02 info  d\u009B2J' },
    };
    const text = formatLine('text', forged, at);
    expect(text.split('\n')).toEqual([
      '12:00:00 warn  a',
      String.raw`  12:00:01 info  b\x1b[2J order=c\n12:00:02 info  d\x9b2J`,
    ]);
    const json = formatLine('json', forged, at);
    expect(json).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(json)).toMatchObject({ message: forged.message, order: forged.fields.order });
  });

  it('writes readable text', () => {
    expect(formatLine('text', line, at)).toBe(`12:00:00 warn  Activity failed order=${orderId} attempt=2`);
  });
});

describe('toLogLine', () => {
  const meta = {
    namespace: 'default',
    taskToken: 'AAAA',
    workflowId: `order/${orderId}/reconcile`,
    workflowRunId: 'r',
    workflowType: 'reconcileOrder',
    activityType: 'compareCrm',
    attempt: 3,
    from: 0,
    to: 5_000,
    durationMs: 12,
    sdkComponent: 'worker',
  };

  it('contains run or order, positions, types and attempt, and leaves out unknown fields', () => {
    const line = toLogLine({ level: 'WARN', message: 'Activity failed', meta: { ...meta, companyName: 'Doe Ltd' } });
    expect(line).toEqual({
      level: 'warn',
      message: 'Activity failed',
      fields: {
        component: 'worker',
        order: orderId,
        from: 0,
        to: 5_000,
        workflow_type: 'reconcileOrder',
        workflow_id: `order/${orderId}/reconcile`,
        run_id: 'r',
        activity_type: 'compareCrm',
        attempt: 3,
        duration_ms: 12,
      },
    });
    const ofRun = toLogLine({ level: 'INFO', message: 'x', meta: { workflowId: 'run/dach-weekly/2026-11-23' } });
    expect(ofRun?.fields).toMatchObject({ run: 'dach-weekly' });
  });

  it('logs completed steps, and no other debug message of the SDK', () => {
    expect(toLogLine({ level: 'DEBUG', message: 'Activity completed', meta })).toMatchObject({ level: 'info' });
    expect(toLogLine({ level: 'DEBUG', message: 'Workflow started' })).toMatchObject({ level: 'info' });
    expect(toLogLine({ level: 'DEBUG', message: 'Activity started', meta })).toBeNull();
    expect(toLogLine({ level: 'TRACE', message: 'poll' })).toBeNull();
    const report = 'asset workflow-bundle.js 1.83 MiB\nwebpack 5.112.2 compiled successfully in 1677 ms';
    expect(toLogLine({ level: 'INFO', message: report })).toBeNull();
  });

  it('logs the root cause of a failure, and only the name of an unexpected error', () => {
    const cause = ApplicationFailure.create({ type: 'RATE_LIMIT', message: 'GET /x failed with status 429' });
    const failure = new ActivityFailure('failed', 'getOrder', 'a', RetryState.NON_RETRYABLE_FAILURE, undefined, cause);
    const fieldsOf = (error: unknown) => toLogLine({ level: 'ERROR', message: 'x', meta: { error } })?.fields;
    expect(fieldsOf(failure)).toEqual({ error_type: 'RATE_LIMIT', error_message: 'GET /x failed with status 429' });
    expect(fieldsOf(new TypeError('jane@doe.example is no number'))).toEqual({ error_type: 'TypeError' });
  });

  it('names the key that a payload requires', () => {
    const error = new CodecError('unknown-key', '2026-05', 'a payload is encrypted with key "2026-05"');
    expect(toLogLine({ level: 'WARN', message: 'x', meta: { error } })?.fields).toEqual({
      error_type: 'CodecError',
      error_message: 'a payload is encrypted with key "2026-05"',
    });
  });

  it('logs only number and type of an event', () => {
    const event = 'HistoryEvent { event_id: 11, event_type: ActivityTaskScheduled, input: [[ImphbmUi]] }';
    const quoted = `Failure { failure: Some(Failure { message: "[TMPRL1100] No command for ${event}", source: "" }) }`;
    const line = toLogLine({ level: 'WARN', message: 'x', meta: { failure: quoted } });
    expect(line?.fields).toEqual({ error_message: '[TMPRL1100] No command for event 11 ActivityTaskScheduled' });
  });

  it('extracts the reason from a message of Temporal Core', () => {
    const quoted =
      'Failure { failure: Some(Failure { message: "[TMPRL1100] Nondeterminism error: \\"x\\"", source: "" }) }';
    const line = toLogLine({ level: 'WARN', message: 'Failing workflow task', meta: { run_id: 'r', failure: quoted } });
    expect(line?.fields).toEqual({ run_id: 'r', error_message: '[TMPRL1100] Nondeterminism error: \\"x\\"' });
  });
});
