import { watchOutage } from '../../src/temporal/grpc-retries.ts';

function startWatch(hint: string | null = null) {
  const messages: string[] = [];
  const time = { now: 100_000 };
  const outage = watchOutage({
    log: (text) => messages.push(text),
    address: 'temporal:7233',
    hint,
    clock: () => time.now,
  });
  return { messages, time, ...outage };
}

describe('watchOutage', () => {
  it('reports once that Temporal does not answer, once that it answers again, and the same for the next outage', () => {
    const { messages, time, unanswered, answered } = startWatch('Start it again.');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      unanswered(time.now, 'connect ECONNREFUSED');
      time.now += 2_000;
    }
    answered();
    answered();
    expect(messages).toEqual([
      'Temporal at temporal:7233 does not answer: connect ECONNREFUSED. Waiting until it answers; nothing is started twice. Ctrl-C stops only this command. Start it again.',
      'Temporal at temporal:7233 answers again after 40 s. Continuing.',
    ]);
    unanswered(time.now - 15_000, 'Deadline exceeded');
    time.now += 5_000;
    unanswered(time.now, 'Deadline exceeded');
    answered();
    expect(messages).toHaveLength(4);
  });

  it('reports neither a restart within seconds nor a single late answer', () => {
    const { messages, time, unanswered, answered } = startWatch();
    unanswered(time.now, 'connect ECONNREFUSED');
    time.now += 4_000;
    unanswered(time.now, 'connect ECONNREFUSED');
    answered();
    time.now += 70_000;
    answered();
    unanswered(time.now - 70_000, 'Deadline exceeded');
    answered();
    expect(messages).toEqual([]);
  });
});
