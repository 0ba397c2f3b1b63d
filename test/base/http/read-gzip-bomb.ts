/** Sends requests to a hostile server with both clients in another process, and prints the results and the peak memory. */
import { createHubSpotClient } from '../../../src/hubspot/hubspot-client.ts';
import { createProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import { readMemory } from '../../helpers/process-usage.ts';

const [baseUrl = ''] = process.argv.slice(2);
const service = createProspectingClient({ baseUrl, apiKey: () => 'key' });
const hubspot = createHubSpotClient({ baseUrl, token: 'token' });
const download = async (job: string) => {
  for await (const chunk of service.outputs.download(job)) if (chunk.length === 0) return;
};
const calls = [
  () => service.orders.get('11111111-2222-4333-8444-555555555555'),
  () => hubspot.account(),
  // The answer is an error, whose body is read too.
  () => download('refused'),
  // A file may have 2 GiB, and is streamed.
  () => download('large'),
];
const messages: string[] = [];
for (const call of calls) {
  messages.push(
    await call().then(
      () => 'it was read',
      (error: unknown) => (error instanceof Error ? error.message : 'no error'),
    ),
  );
}
// Not resourceUsage().maxRSS, which begins with the memory of the process that starts this one.
const { peak } = await readMemory(process.pid);
const peakMegabytes = Math.round(peak / 1_000_000);
process.stdout.write(JSON.stringify({ messages, peakMegabytes }));
