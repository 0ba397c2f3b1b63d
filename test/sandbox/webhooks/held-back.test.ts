import { createClock } from '../../../sandbox/clock.ts';
import { createHeldBack } from '../../../sandbox/webhooks/delivery-attempts.ts';

const url = 'https://hooks.receiver.example/in';

function createHolding() {
  const clock = createClock({ frozenAt: 0 });
  const heldBack = createHeldBack(clock);
  const gone: string[] = [];
  return {
    ...heldBack,
    gone,
    hold: (name: string, to = url) => heldBack.hold(to, () => gone.push(name)),
    at: (second: number) => clock.advanceTo(second * 1_000),
  };
}

describe('hold', () => {
  it('lets go with the next request to that receiver, or after a minute of its own', async () => {
    const { hold, release, gone, at } = createHolding();
    hold('first');
    hold('elsewhere', `${url}/2`);
    await at(30);
    hold('second');
    await at(60);
    expect(gone).toEqual(['first', 'elsewhere']);
    release(url);
    expect(gone).toEqual(['first', 'elsewhere', 'second']);
    await at(90);
    expect(gone).toHaveLength(3);
  });

  it.each(['release', 'clear'] as const)('is not cut short by the minute of one that ended by %s', async (end) => {
    const { hold, release, clear, gone, at } = createHolding();
    hold('earlier');
    await at(30);
    if (end === 'release') release(url);
    else clear();
    hold('later');
    gone.length = 0;
    await at(89);
    expect(gone).toEqual([]);
    await at(90);
    expect(gone).toEqual(['later']);
  });
});
