import { Refusal } from '../refusal.ts';
import type { Role } from './webhook-inputs.ts';

/** "Only owners and admins …" ("Setup rules", 4). Throws a Refusal (403). */
export function requireAdmin(role: Role): void {
  if (role === 'owner' || role === 'admin') return;
  throw new Refusal(403, { code: 'WEBHOOK_ROLE_REQUIRED', message: 'Only owners and admins may do this.' });
}
