import { createClock } from '../../../sandbox/clock.ts';
import { createReorderedRequests } from '../../../sandbox/webhooks/delivery-attempts.ts';

const url = 'https://hooks.receiver.example/in';

function createHarness() {
  const clock = createClock({ frozenAt: 0 });
  const reordered = createReorderedRequests(clock);
  const sent: string[] = [];
  return {
    ...reordered,
    sent,
    hold: (name: string, to = url) => reordered.hold(to, () => sent.push(name)),
    at: (second: number) => clock.advanceTo(second * 1_000),
  };
}

describe('createReorderedRequests', () => {
  it('sends a held request with the next one to its receiver, or after a minute', async () => {
    const { hold, release, sent, at } = createHarness();
    hold('first');
    hold('elsewhere', `${url}/2`);
    await at(30);
    hold('second');
    await at(60);
    expect(sent).toEqual(['first', 'elsewhere']);
    release(url);
    expect(sent).toEqual(['first', 'elsewhere', 'second']);
    await at(90);
    expect(sent).toHaveLength(3);
  });

  it.each(['release', 'clear'] as const)('waits a full minute although an earlier request ended by %s', async (end) => {
    const { hold, release, clear, sent, at } = createHarness();
    hold('earlier');
    await at(30);
    if (end === 'release') release(url);
    else clear();
    hold('later');
    sent.length = 0;
    await at(89);
    expect(sent).toEqual([]);
    await at(90);
    expect(sent).toEqual(['later']);
  });
});
