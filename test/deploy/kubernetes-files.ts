/** The files of deploy/kubernetes, with the fields of the Kubernetes API that they use: any other field is a mistake. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';

const folder = path.join(import.meta.dirname, '../../deploy/kubernetes');
const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({ name: z.string(), labels });
const selector = z.strictObject({ matchLabels: labels });
const port = z.number().int().min(1).max(65_535);
const named = z.strictObject({ name: z.string() });

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }).optional(),
  tcpSocket: z.strictObject({ port: z.string() }).optional(),
  initialDelaySeconds: z.number().optional(),
  periodSeconds: z.number().optional(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number().optional(),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.strictObject({ secretRef: named })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: port })),
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z.strictObject({ requests: labels, limits: labels }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(
    z.strictObject({
      name: z.string(),
      mountPath: z.string(),
      subPath: z.string().optional(),
      readOnly: z.boolean().optional(),
    }),
  ),
});

const podSpec = z.strictObject({
  terminationGracePeriodSeconds: z.number(),
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  securityContext: z.strictObject({
    runAsNonRoot: z.boolean(),
    runAsUser: z.number(),
    runAsGroup: z.number(),
    fsGroup: z.number(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.number(),
      topologyKey: z.string(),
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: selector,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(
    z.strictObject({
      name: z.string(),
      configMap: named.optional(),
      emptyDir: z.strictObject({ sizeLimit: z.string() }).optional(),
      persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
    }),
  ),
});

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/deployment-v1/ */
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.number(),
    strategy: z.strictObject({ type: z.enum(['Recreate', 'RollingUpdate']) }),
    selector,
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: podSpec }),
  }),
});

/** https://kubernetes.io/docs/reference/kubernetes-api/service-resources/service-v1/ */
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: z.string(), port, targetPort: z.string() })),
  }),
});

/** https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/pod-disruption-budget-v1/ */
const disruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ maxUnavailable: z.number(), selector }),
});

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-claim-v1/ */
const volumeClaim = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('PersistentVolumeClaim'),
  metadata,
  spec: z.strictObject({
    accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteMany'])),
    resources: z.strictObject({ requests: labels }),
  }),
});

const manifest = z.discriminatedUnion('kind', [deployment, service, disruptionBudget, volumeClaim]);
type Manifest = z.infer<typeof manifest>;
export type Deployment = z.infer<typeof deployment>;

export function readManifests(): Manifest[] {
  return readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => manifest.parse(document.toJS())),
  );
}

/** @throws {Error} when there is none of this name */
export function readDeployment(name: string): Deployment {
  const found = readManifests().find((item) => item.kind === 'Deployment' && item.metadata.name === name);
  if (found?.kind !== 'Deployment') throw new Error(`deploy/kubernetes has no Deployment ${name}`);
  return found;
}

/** The value after `option` in the arguments of the container. @throws {Error} when it is not there */
export function readOption({ spec }: Deployment, option: string): string {
  const [{ args }] = spec.template.spec.containers;
  const value = args[args.indexOf(option) + 1];
  if (!args.includes(option) || value === undefined) throw new Error(`the container has no option ${option}`);
  return value;
}
