/** Asks a hostile server by both clients, in a process of its own: prints what they say and the most memory that it took. */
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';

const [baseUrl = ''] = process.argv.slice(2);
const service = createProspectingClient({ baseUrl, apiKey: () => 'key' });
const hubspot = createHubSpotClient({ baseUrl, token: 'token' });
const download = async (job: string) => {
  for await (const chunk of service.outputs.download(job)) if (chunk.length === 0) return;
};
const calls = [
  () => service.orders.get('11111111-2222-4333-8444-555555555555'),
  () => hubspot.account(),
  // Its answer is an error, whose body is read as well.
  () => download('refused'),
  // A file may have 2 GiB, and is passed on piece by piece.
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
// maxRSS is in kilobytes.
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ messages, peakMegabytes }));
