/** Everything that the service answers, from its parts. */
import { assignmentRoutes, blacklistRoutes, entryRoutes } from './blacklist-routes.ts';
import { createDeliveryRoutes } from './delivered-company-routes.ts';
import { createDownloadRoutes, type DownloadParts } from './file-downloads.ts';
import { createOrderRoutes, type OrderNotifier, createResultRoutes, type ResultSettings } from './order-routes.ts';
import { createOutputRoutes } from './output-routes.ts';
import { createProfileRoutes } from './profile-routes.ts';
import type { ProgressionSettings } from './progression-settings.ts';
import type { Publications } from '../published/publications.ts';
import type { CreationContext, Route } from './operation-route.ts';
import type { Store } from '../store/sandbox-store.ts';

interface Parts {
  readonly assumed: ResultSettings;
  readonly progressions: ProgressionSettings;
  readonly publications: Publications;
  readonly files: DownloadParts;
  readonly store: Pick<Store, 'transaction'>;
  readonly notifier: OrderNotifier;
}

export function createRoutes({ assumed, progressions, publications, files, store, notifier }: Parts): Route[] {
  const paceOf = (resource: 'profiles' | 'orders') => {
    return ({ organization, key }: CreationContext) => key.progression ?? progressions.of(organization.id)[resource];
  };
  const { publishedSet } = publications;
  const { products } = files;
  return [
    ...blacklistRoutes,
    ...entryRoutes,
    ...assignmentRoutes,
    ...createProfileRoutes(paceOf('profiles')),
    ...createOrderRoutes({ progressionOf: paceOf('orders'), publications, notifier }),
    ...createResultRoutes(assumed, publications),
    ...createOutputRoutes({ ...assumed, progressionOf: ({ id }) => progressions.of(id).outputs, products }),
    ...createDownloadRoutes(files),
    ...createDeliveryRoutes({ publishedSet, transaction: store.transaction }),
  ];
}
