/** Environment variables whose names are nearly those of prospect-sync and of Temporal: nothing reads them. */
import { distance } from 'fastest-levenshtein';
import type { Environment } from '../base/host/environment-variables.ts';
import { words } from '../base/text/words.ts';

const ofTemporal = words(
  'ADDRESS API_KEY CLI_ADDRESS CODEC_AUTH CODEC_ENDPOINT CONFIG_FILE DB_PASSWORD DEBUG DEPLOYMENT_NAME ENV HOST LOG_LEVEL NAMESPACE PORT PROFILE TASK_QUEUE TLS TLS_CA TLS_CERT TLS_KEY TLS_CLIENT_CERT_DATA TLS_CLIENT_CERT_PATH TLS_CLIENT_KEY_DATA TLS_CLIENT_KEY_PATH TLS_DISABLE_HOST_VERIFICATION TLS_SERVER_CA_CERT_DATA TLS_SERVER_CA_CERT_PATH TLS_SERVER_NAME UI_PORT UI_URL VERSION VERSIONING_BEHAVIOR WORKER_BUILD_ID',
);
const ofProspectSync = words(
  'CONSOLE_HOST CONSOLE_PORT DEBUG ENV_ALLOWED HEALTH_HOST HEALTH_PORT HEAP_MB LOG_FORMAT RECEIVE_HOST RECEIVE_PORT SHUTDOWN_GRACE',
);

/** Those that the documentation names, and others of Temporal's programs. */
export const knownVariables = [
  ...ofTemporal.map((name) => `TEMPORAL_${name}`),
  ...ofProspectSync.map((name) => `PROSPECT_SYNC_${name}`),
];

/** More letters that differ make another name, which another program may read. */
const misspeltLetters = 2;

export function warnOfMisspeltVariables(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (!/^(?:TEMPORAL|PROSPECT_SYNC)_[A-Z_]+$/.test(name) || knownVariables.includes(name)) return [];
    const meant = knownVariables.find((known) => distance(known, name) <= misspeltLetters);
    return meant === undefined ? [] : [`The environment variable ${name} has no effect. Did you mean ${meant}?`];
  });
}
