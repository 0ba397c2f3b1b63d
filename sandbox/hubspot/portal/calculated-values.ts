// Values that HubSpot calculates from others of the same record, and from what it knows elsewhere.
import { dealType, type ObjectType } from '../object-types.ts';
import { dealValues } from './deal-stages.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type { PropertyValues } from './record.ts';

/** What a write of `change` over `before` (empty for a new record) sets besides. */
export type Derive = (before: PropertyValues, change: PropertyValues, now: string) => PropertyValues;

export interface DerivedFrom {
  readonly pipelines: PipelineStore;
  /** Whether an address has unsubscribed from all email. */
  readonly optedOut: (email: string) => boolean;
}

export function createDerive(type: ObjectType, { pipelines, optedOut }: DerivedFrom): Derive {
  if (type === dealType) return (before, change, now) => dealValues(pipelines, before, change, now);
  if (!type.knownByEmail) return () => ({});
  return (_, { email }) => {
    if (email === undefined) return {};
    return { hs_email_domain: email.split('@')[1] ?? '', hs_email_optout: optedOut(email) ? 'true' : '' };
  };
}
