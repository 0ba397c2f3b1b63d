import { digest } from '../../src/base/json/canonical-json.ts';
import { createActivityHarness, failure, plan, profile, type ActivityHarness } from './activity-harness.ts';

const posts = ({ asked }: ActivityHarness) => asked().filter((request) => request.startsWith('POST'));

const named = (name: string) => plan({ profile: { ...profile, profile_name: name } });

async function request(harness: ActivityHarness, name = 'Makers') {
  return harness.perform('requestProfile', { run: harness.configureRun(named(name)) });
}

async function finish(harness: ActivityHarness, creationId: string, name = 'Makers') {
  harness.pass(2);
  return harness.perform('awaitProfile', { run: harness.configureRun(named(name)), creationId });
}

describe('requestProfile', () => {
  // Guarantee: The same profile is not created twice
  it('requests equal content once, whatever the order of its fields', async () => {
    const harness = await createActivityHarness();
    const { creationId, profileId } = await request(harness);
    expect(profileId).toBeNull();
    const finished = await finish(harness, creationId);
    expect(finished).toMatchObject({ status: 'SUCCEEDED', creationId, errorCode: null });
    const turned = Object.fromEntries(Object.entries({ ...profile, profile_name: 'Makers' }).toReversed());
    const run = harness.configureRun(plan({ profile: turned as typeof profile }));
    const again = await harness.perform('requestProfile', { run });
    expect(again).toMatchObject({ creationId, profileId: finished.profileId });
    expect(posts(harness)).toHaveLength(1);
  });

  it('requests nothing with the key of another organization', async () => {
    const harness = await createActivityHarness();
    const order = { runName: null, kind: 'discovery', status: 'COMPLETED', profileId: null, requestedCount: 1 };
    const orderId = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';
    await harness.ledger.orders.save({ ...order, orderId, externalIdsAreRecordIds: false });
    expect(await failure(request(harness))).toMatchObject({ type: 'OtherOrganization', nonRetryable: true });
    expect(posts(harness)).toEqual([]);
  });

  it('requests different content separately', async () => {
    const harness = await createActivityHarness();
    const one = await request(harness, 'One');
    const other = await request(harness, 'Other');
    expect(other.creationId).not.toBe(one.creationId);
  });

  it('uses a new key after each failure', async () => {
    const harness = await createActivityHarness();
    const name = 'Makers outcome:FAILED*2';
    const ends: [string, string | null][] = [];
    const ids = new Set<string>();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { creationId } = await request(harness, name);
      ids.add(creationId);
      const { status, errorCode } = await finish(harness, creationId, name);
      ends.push([status, errorCode]);
    }
    expect(ends).toEqual([
      ['FAILED', 'PROFILE_GENERATION_FAILED'],
      ['FAILED', 'PROFILE_GENERATION_FAILED'],
      ['SUCCEEDED', null],
    ]);
    expect(ids.size).toBe(3);
  });

  it('finds the creation when the answer was lost', async () => {
    const harness = await createActivityHarness();
    const { service, ledger } = harness;
    const path = '/api/v1/search-profile-creations';
    service.faults.add({ method: 'POST', path, commit: true, status: 502, times: 1 });
    expect(await failure(request(harness))).toMatchObject({ nonRetryable: false });
    const { creationId } = await request(harness);
    // A second creation would fail, as the first one of its content did.
    expect((await finish(harness, creationId)).status).toBe('SUCCEEDED');
    expect(posts(harness)).toHaveLength(2);
    const { creationId: again } = await request(harness);
    expect(again).toBe(creationId);
    expect(ledger).toBeDefined();
  });

  it('requests the profile again when the service no longer knows the creation', async () => {
    const harness = await createActivityHarness();
    const first = await request(harness);
    await finish(harness, first.creationId);
    harness.service.reset();
    const second = await request(harness);
    expect(second.profileId).toBeNull();
    expect((await finish(harness, second.creationId)).status).toBe('SUCCEEDED');
  });

  it('does not request the profile again when the service cannot be reached', async () => {
    const harness = await createActivityHarness();
    const { creationId } = await request(harness);
    await finish(harness, creationId);
    harness.service.faults.add({ method: 'GET', path: '/api/v1/search-profile-creations', status: 503, times: 1 });
    expect(await failure(request(harness))).toMatchObject({ nonRetryable: false });
    expect(posts(harness)).toHaveLength(1);
  });
});

describe('awaitProfile', () => {
  it('polls until the creation ends', async () => {
    const harness = await createActivityHarness();
    const { creationId } = await request(harness);
    const polls = () => harness.asked().filter((line) => line.startsWith('GET')).length;
    const waiting = harness.perform('awaitProfile', { run: harness.configureRun(plan()), creationId });
    while (polls() < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    harness.pass(2);
    expect((await waiting).status).toBe('SUCCEEDED');
  });

  it('keeps a newer creation of the same content in the ledger', async () => {
    const harness = await createActivityHarness();
    const name = 'Makers outcome:FAILED*1';
    const contentHash = digest({ ...profile, profile_name: name });
    const known = async () => harness.ledger.profiles.get(contentHash);
    const older = await request(harness, name);
    expect((await finish(harness, older.creationId, name)).status).toBe('FAILED');
    const newer = await request(harness, name);
    expect(newer.creationId).not.toBe(older.creationId);
    expect(newer.status).not.toBe('FAILED');
    // Another run that still waits for the older creation.
    expect((await finish(harness, older.creationId, name)).status).toBe('FAILED');
    expect(await known()).toMatchObject({ creationId: newer.creationId, generation: 2, status: newer.status });
    const { profileId } = await finish(harness, newer.creationId, name);
    expect(await known()).toMatchObject({ creationId: newer.creationId, status: 'SUCCEEDED', profileId });
  });

  it('ends the run when a creation succeeds without a profile id', async () => {
    const harness = await createActivityHarness({
      async serviceFetch(asked, proceed) {
        const response = await proceed(asked);
        if (asked.method !== 'GET') return response;
        return Response.json({ ...((await response.json()) as object), profile_id: null });
      },
    });
    const { creationId } = await request(harness);
    const outcome = await failure(finish(harness, creationId));
    expect(outcome).toMatchObject({ type: 'ProfileMissing', nonRetryable: true });
    expect(outcome.message).toContain(creationId);
  });

  it('stops when it is cancelled', async () => {
    const harness = await createActivityHarness({ polling: { profileMilliseconds: 10_000 } });
    const { creationId } = await request(harness);
    const run = harness.configureRun(plan());
    const waiting = harness.performCancelled('awaitProfile', { run, creationId });
    await expect(waiting).rejects.toMatchObject({ name: 'CancelledFailure' });
  });
});
