import { request } from 'node:http';

export interface PageRequest {
  /** Name that the browser was given for this machine; that of the address when absent. */
  readonly host?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

/** A request as a browser sends it for a page whose site's name leads to this machine. Status 0: no answer in HTTP. */
export function askAsPage(
  address: string,
  { host, headers = {}, method = 'GET', body = '' }: PageRequest = {},
): Promise<{ status: number; text: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>();
  const url = new URL(address);
  const named = host === undefined ? {} : { host: `${host}:${url.port}` };
  const sent = request(url, { method, headers: { ...headers, ...named } }, (response) => {
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  sent.on('error', () => resolve({ status: 0, text: '' }));
  sent.end(body);
  return promise;
}
