// The reference library of another language: what it signs and verifies is a delivery. PyPI: standardwebhooks.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { parseSecret, verify } from '../../src/replies/webhook-signature.ts';
import { describeIf } from '../helpers/describe-if.ts';
import { anyCharacter } from '../helpers/random-text.ts';

const program = `
import json, sys
from datetime import datetime, timezone
from standardwebhooks import Webhook
answers = []
for case in json.load(sys.stdin):
    hook = Webhook(case["secret"])
    stamp = hook.sign(case["id"], datetime.fromtimestamp(case["seconds"], tz=timezone.utc), case["body"])
    headers = {"webhook-id": case["id"], "webhook-timestamp": str(case["seconds"]) + case["suffix"],
               "webhook-signature": case["signature"].replace("RIGHT", stamp)}
    try:
        hook.verify(case["body"], headers, json_parse=False)
        accepted = True
    except Exception:
        accepted = False
    answers.append({"headers": headers, "accepted": accepted})
print(json.dumps(answers))
`;

const python = (code: string, input = '') => spawnSync('python3', ['-c', code], { input, encoding: 'utf8' });
const hasLibrary = python('import standardwebhooks').status === 0;
const needsLibrary = { needs: 'the Python package standardwebhooks (pip install standardwebhooks)' };

describeIf(hasLibrary, needsLibrary)('the Python reference library', () => {
  it('verifies no delivery that the receiver refuses, and signs none that it does not verify', () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const seconds = Math.floor(Date.now() / 1_000);
    const other = `v1,${randomBytes(32).toString('base64')}`;
    const cases = fc.record({
      secret: fc.constant(secret),
      seconds: fc.constantFrom(seconds, seconds - 200, seconds - 900, seconds + 900),
      suffix: fc.constantFrom('', '.0', '.9', 'x'),
      id: fc.oneof(
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 }).filter((id) => id.trim() === id),
        fc.constantFrom('msg.1', 'msg 1', 'ä', 'x'.repeat(3_000)),
      ),
      body: fc.string({ unit: anyCharacter, maxLength: 200 }).filter((text) => text.isWellFormed()),
      signature: fc
        .array(fc.constantFrom('RIGHT', other, 'v2,AAAA', 'v1a,AAAA'), { maxLength: 30 })
        .map((entries) => entries.join(' ')),
    });
    const sample = fc.sample(cases, 400);
    const { stdout, stderr } = python(program, JSON.stringify(sample));
    expect(stderr).toBe('');
    const answers: { headers: Record<string, string>; accepted: boolean }[] = JSON.parse(stdout);
    const accepted = answers.filter((answer) => answer.accepted);
    const differing = answers.filter(({ headers, accepted }, index) => {
      const body = Buffer.from(sample[index]?.body ?? '');
      const get = (name: string) => headers[name] ?? null;
      const ours = verify({ headers: { get }, body, secrets: [parseSecret(secret)], nowSeconds: seconds });
      // The library does not read a time with other text after it.
      return sample[index]?.suffix === 'x' ? accepted : ours.ok !== accepted;
    });
    expect(accepted.length).toBeGreaterThan(20);
    expect(differing).toEqual([]);
  });
});
