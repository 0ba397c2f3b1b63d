/** Everything that the service answers, from its parts. */
import type { Webhooks } from '../webhooks/webhooks.ts';
import { assignmentRoutes } from './assignments.ts';
import { blacklistRoutes } from './blacklists.ts';
import { createDeliveryRoutes } from './deliveries.ts';
import { createDownloadRoutes, type DownloadParts } from './downloads.ts';
import { entryRoutes } from './entries.ts';
import { createOrderRoutes } from './orders.ts';
import { createOutputRoutes } from './outputs.ts';
import { createProfileRoutes } from './profiles.ts';
import type { ProgressionSettings } from './progressions.ts';
import type { Publications } from './publication.ts';
import { createResultRoutes, type ResultSettings } from './results.ts';
import type { Made, Route } from './route.ts';
import type { Store } from './store/store.ts';

interface Parts {
  readonly assumed: ResultSettings;
  readonly progressions: ProgressionSettings;
  readonly publications: Publications;
  readonly files: DownloadParts;
  readonly store: Pick<Store, 'transaction'>;
  readonly webhooks: Pick<Webhooks, 'orders'>;
}

export function createRoutes({ assumed, progressions, publications, files, store, webhooks }: Parts): Route[] {
  const paceOf = (resource: 'profiles' | 'orders') => {
    return ({ organization, key }: Made) => key.progression ?? progressions.of(organization.id)[resource];
  };
  const { publishedSet } = publications;
  const { products } = files;
  return [
    ...blacklistRoutes,
    ...entryRoutes,
    ...assignmentRoutes,
    ...createProfileRoutes(paceOf('profiles')),
    ...createOrderRoutes({ progressionOf: paceOf('orders'), publications, notifications: webhooks.orders }),
    ...createResultRoutes(assumed, publications),
    ...createOutputRoutes({ ...assumed, progressionOf: ({ id }) => progressions.of(id).outputs, products }),
    ...createDownloadRoutes(files),
    ...createDeliveryRoutes({ publishedSet, transaction: store.transaction }),
  ];
}
