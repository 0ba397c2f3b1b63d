import { request } from 'node:http';

export interface PageRequest {
  /** The host name in the request. Default: that of the address. */
  readonly host?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

/** Sends a request like a browser does for a page whose host name resolves to this machine. Status 0: no HTTP answer. */
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
