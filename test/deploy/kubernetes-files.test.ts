import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readDeployment, readManifests, readOption } from './kubernetes-files.ts';

const deployments = ['prospect-sync-worker', 'prospect-sync-receiver'].map(readDeployment);
const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'));

describe('deploy/kubernetes', () => {
  it('has only fields of the Kubernetes API, and one name for each kind', () => {
    expect(readManifests().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Deployment prospect-sync-receiver',
      'Service prospect-sync-receiver',
      'PodDisruptionBudget prospect-sync-receiver',
      'Deployment prospect-sync-worker',
      'PodDisruptionBudget prospect-sync-worker',
      'PersistentVolumeClaim prospect-sync-out',
    ]);
  });

  it.each(deployments)('$metadata.name: its pods are the ones that its selectors find', ({ metadata, spec }) => {
    expect(spec.selector.matchLabels).toEqual(metadata.labels);
    expect(spec.template.metadata.labels).toEqual(metadata.labels);
    for (const { labelSelector } of spec.template.spec.topologySpreadConstraints)
      expect(labelSelector.matchLabels).toEqual(metadata.labels);
    const ports = spec.template.spec.containers[0].ports.map(({ name }) => name);
    const others = readManifests().filter(({ metadata: { name } }) => name === metadata.name);
    const budgets = others.flatMap((other) => (other.kind === 'PodDisruptionBudget' ? [other.spec.selector] : []));
    expect(budgets).toEqual([spec.selector]);
    for (const service of others.flatMap((other) => (other.kind === 'Service' ? [other.spec] : []))) {
      expect(service.selector).toEqual(metadata.labels);
      expect(ports).toEqual(expect.arrayContaining(service.ports.map(({ targetPort }) => targetPort)));
    }
  });

  it.each(deployments)('$metadata.name: runs the image of this version without rights', ({ spec }) => {
    const { securityContext, containers, ...pod } = spec.template.spec;
    expect(containers[0].image).toBe(`prospect-sync:${version}`);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(deployments)(
    '$metadata.name: takes secrets from the Secret and the configuration from the ConfigMap',
    ({ spec }) => {
      const { containers, volumes } = spec.template.spec;
      const [{ env, envFrom, volumeMounts }] = containers;
      expect(env.map(({ name }) => name)).toEqual(['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']);
      expect(envFrom).toEqual([{ secretRef: { name: 'prospect-sync' } }]);
      expect(volumes).toContainEqual({ name: 'config', configMap: { name: 'prospect-sync' } });
      expect(volumes).toContainEqual({ name: 'out', persistentVolumeClaim: { claimName: 'prospect-sync-out' } });
      expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    },
  );

  it.each(deployments)(
    '$metadata.name: is probed on the ports that its options open, from other machines',
    (deployment) => {
      const [{ ports, livenessProbe, readinessProbe }] = deployment.spec.template.spec.containers;
      const health = ports.find(({ name }) => name === 'health');
      expect(String(health?.containerPort)).toBe(readOption(deployment, '--health-port'));
      expect(readOption(deployment, '--health-host')).toBe('0.0.0.0');
      expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health' });
      const names = ports.map(({ name }) => name);
      expect(names).toContain(readinessProbe.httpGet?.port ?? readinessProbe.tcpSocket?.port);
    },
  );

  it('is killed only after the grace period of a worker, or of the worker within a receiver', () => {
    const [worker, receiver] = deployments.map(({ spec }) => spec.template.spec);
    const grace = Number(readOption(readDeployment('prospect-sync-worker'), '--shutdown-grace').replace('s', ''));
    expect(worker?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(grace + 10);
    const wait = Number(receiver?.containers[0].lifecycle?.preStop.exec.command[1]);
    expect(receiver?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(wait + 10 + 10);
  });
});
