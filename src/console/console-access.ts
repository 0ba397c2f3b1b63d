/** Who may see the console. On this machine it is who knows the key in the path. */
import { refuseForeign } from '../base/http/foreign-requests.ts';
import { isSameSecret } from '../base/same-secret.ts';
import { keylessPage } from './fixed-pages.ts';
import { respond } from './page-response.ts';

export interface Visitor {
  /** For the list of actions. */
  readonly user: string;
  /** The path before that of each page; empty, or `/…`. */
  readonly root: string;
  /** Without the root in its path. */
  readonly request: Request;
}

/** `peer`: the IP address of the other end of the connection. */
export type ConsoleAccess = (request: Request, peer: string) => Promise<Visitor | { readonly refusal: Response }>;

interface LocalAccess {
  /** Unguessable, of characters of base64url. */
  readonly key: string;
  readonly user: string;
}

/** Below the path `/KEY/`: other users of the machine reach the port too. A cookie would be sent to the servers of all ports. */
export function createLocalAccess({ key, user }: LocalAccess): ConsoleAccess {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const [, given = '', ...path] = pathname.split('/');
    if (!isSameSecret(given, key))
      return {
        refusal: await respond(keylessPage, {
          root: '',
          token: '',
          isSandbox: false,
          path: '/',
          people: () => 'masked',
        }),
      };
    const refusal = refuseForeign(request, { isLocalOnly: true, origins: 'same' });
    if (refusal !== null) return { refusal };
    return {
      user,
      root: `/${key}`,
      request: new Request(new URL(`/${path.join('/')}${search}`, request.url), request),
    };
  };
}
