/** deploy/helm/parley: the chart is valid, and its objects run Parley as docs/operating.md says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { SETTINGS } from '../../src/core/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHART = join(ROOT, 'deploy/helm/parley')
const KUBERNETES = '1.31.0'
/** The longest stop of a process (src/startup/process-events.ts). */
const LONGEST_STOP_S = 60

/** Returns the program `helm`, also where `go install` puts it. */
function findHelm(): string | undefined {
  const places = ['helm', join(homedir(), 'go/bin/helm')]
  return places.find((program) => spawnSync(program, ['version']).status === 0)
}

const helm = findHelm()
if (!helm) console.warn('The Helm chart is not tested: helm is missing.')

// biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes is walked by its keys
type Item = any

const settingFlags = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** `file`: values of the chart's folder. */
const runTemplate = (values: Record<string, string>, file?: string) => {
  const files = file === undefined ? [] : ['--values', join(CHART, file)]
  const args = ['template', 'shop', CHART, '--kube-version', KUBERNETES, ...files, ...settingFlags(values)]
  return spawnSync(helm!, args, { encoding: 'utf8' })
}

/** Renders the chart, and returns its objects. */
function render(values: Record<string, string> = { existingSecret: 'own' }, file?: string): Item[] {
  const { status, stdout, stderr } = runTemplate(values, file)
  expect(status, stderr).toBe(0)
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Item)
    .filter((item) => item !== null)
}

const findAll = (items: Item[], kind: string): Item[] => items.filter((item) => item.kind === kind)
const findOne = (items: Item[], kind: string, name: string): Item => {
  const found = findAll(items, kind).find((item) => item.metadata.name === name)
  expect(found, `${kind} ${name}`).toBeDefined()
  return found
}
const podsOf = (items: Item[]): Item[] =>
  [...findAll(items, 'Deployment'), ...findAll(items, 'Job')].map((item) => item.spec.template)

const PLAIN = { existingSecret: 'own' }
const EVERYTHING = {
  'secrets.DATABASE_URL': 'postgres://parley:secret@db.example.com:5432/parley',
  'secrets.PARLEY_SECRET_KEY': 'a secret key that only this test uses',
  'settings.LOG_LEVEL': 'warn',
  'media.s3Url': 's3://files/parley',
  'ingress.enabled': 'true',
  'ingress.host': 'parley.example.com',
  'ingress.tlsSecret': 'certificate',
  'ingress.className': 'nginx',
  'serviceMonitor.enabled': 'true',
  'networkPolicy.enabled': 'true',
  'web.autoscaling.enabled': 'true',
  'worker.autoscaling.enabled': 'true',
  trustProxy: '10.0.0.0/8',
}
const DATABASE_IN_PARTS = {
  ...PLAIN,
  'database.hosts': '{pooler:6432}',
  'database.directHosts': '{db1,[fd00::2]:5433}',
  'database.user': 'shop user',
  'database.passwordSecret': 'database',
  'database.passwordKey': 'pass',
  'database.caSecret': 'authority',
  'database.parameters.application_name': 'a&b',
}
/** Names in the environment that are no settings of Parley. */
const OTHERS = ['NODE_COMPILE_CACHE', 'PGPASSWORD']

describe.skipIf(!helm)('the Helm chart', () => {
  test.each([
    ['a Secret of your own', PLAIN],
    ['everything that can be turned on', EVERYTHING],
    ['a database in parts', DATABASE_IN_PARTS],
  ])('has no fault that `helm lint` finds, with %s', (_, values) => {
    const args = ['lint', CHART, '--strict', '--kube-version', KUBERNETES, ...settingFlags(values)]
    const output = execFileSync(helm!, args)
    expect(output.toString()).toContain('0 chart(s) failed')
  })

  test('installs the version of this tree', () => {
    const [document] = parseAllDocuments(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(document!.toJS()).toMatchObject({ version, appVersion: version })
  })

  test.each([
    [{}, 'Set existingSecret'],
    [{ 'secrets.DATABASE_URL': 'postgres://db/parley' }, 'Set secrets.PARLEY_SECRET_KEY'],
    [{ ...PLAIN, siteUrl: 'https://parley.example.com/path' }, 'siteUrl'],
    [{ ...PLAIN, 'settings.PORT': '5000' }, 'PORT'],
    [{ ...PLAIN, 'web.replica': '3' }, 'replica'],
    [{ ...PLAIN, 'database.hosts': '{db1}' }, 'Set database.passwordSecret'],
    [{ ...DATABASE_IN_PARTS, 'database.hosts': '{user@db1}' }, 'database'],
    [{ ...PLAIN, terminationGracePeriodSeconds: '30' }, 'terminationGracePeriodSeconds'],
  ])('rejects %j in words', (values, words) => {
    const { status, stderr } = runTemplate(values)
    expect(status).not.toBe(0)
    expect(stderr).toContain(words)
  })

  test.each([
    ['a Secret of your own', PLAIN],
    ['everything that can be turned on', EVERYTHING],
    ['a database in parts', DATABASE_IN_PARTS],
  ])('renders objects that fit together, with %s', (_, values) => {
    const items = render(values)
    const names = items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    for (const item of items) {
      expect(item.apiVersion).toMatch(/^[a-z0-9./]+$/)
      expect(item.metadata.labels['app.kubernetes.io/instance']).toBe('shop')
    }
    for (const { spec } of findAll(items, 'Deployment'))
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    for (const { spec } of podsOf(items)) {
      const volumes = spec.volumes.map(({ name }: Item) => name)
      expect(spec.containers[0].volumeMounts.map(({ name }: Item) => name).toSorted()).toEqual(
        volumes.toSorted(),
      )
      const claim = spec.volumes.find(({ name }: Item) => name === 'data').persistentVolumeClaim?.claimName
      if (claim) findOne(items, 'PersistentVolumeClaim', claim)
      const unknown = spec.containers[0].env
        .map(({ name }: Item) => name as string)
        .filter((name: string) => !(name in SETTINGS) && !OTHERS.includes(name))
      expect(unknown).toEqual([])
    }
  })

  test('has web pods and workers that start, stop, and are replaced without a gap', () => {
    const items = render()
    for (const role of ['web', 'worker']) {
      const { spec } = findOne(items, 'Deployment', `shop-parley-${role}`)
      expect(spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } })
      const pod = spec.template.spec
      const [container] = pod.containers
      expect(container.env).toContainEqual({ name: 'PARLEY_ROLES', value: role })
      expect(container.envFrom).toEqual([{ secretRef: { name: 'own' } }])
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
      for (const probe of ['livenessProbe', 'startupProbe'])
        expect(container[probe].httpGet).toEqual({ path: '/healthz', port: 'http' })
      const [, preStopSeconds] = container.lifecycle.preStop.exec.command
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(LONGEST_STOP_S + Number(preStopSeconds))
      expect(pod.topologySpreadConstraints).toHaveLength(2)
      const budget = findOne(items, 'PodDisruptionBudget', `shop-parley-${role}`)
      expect(budget.spec).toEqual({ maxUnavailable: 1, selector: spec.selector })
    }
    const { spec } = findOne(items, 'Service', 'shop-parley')
    expect(findOne(items, 'Deployment', 'shop-parley-web').spec.template.metadata.labels).toMatchObject(
      spec.selector,
    )
  })

  test('gives no pod more rights than it needs', () => {
    for (const { spec } of podsOf(render())) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  test('migrates before the pods of a new version start', () => {
    const items = render(EVERYTHING)
    const { metadata, spec } = findOne(items, 'Job', 'shop-parley-migrate')
    expect(metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    const [container] = spec.template.spec.containers
    const [program, script, command] = container.command
    expect([program, command]).toEqual(['node', 'migrate'])
    expect(existsSync(join(ROOT, script))).toBe(true)
    const secret = findOne(items, 'Secret', container.envFrom[0].secretRef.name)
    expect(Number(secret.metadata.annotations['helm.sh/hook-weight'])).toBeLessThan(0)
    expect(secret.stringData).toEqual({
      DATABASE_URL: EVERYTHING['secrets.DATABASE_URL'],
      PARLEY_SECRET_KEY: EVERYTHING['secrets.PARLEY_SECRET_KEY'],
    })
  })

  test('connects all pods to the database of the values, with the password of a Secret', () => {
    const items = render(DATABASE_IN_PARTS)
    expect(podsOf(items)).toHaveLength(3)
    for (const { spec } of podsOf(items)) {
      const [container] = spec.containers
      const variableOf = (name: string) => container.env.find((item: Item) => item.name === name)
      const rest =
        'application_name=a%26b&sslmode=verify-full&sslrootcert=%2Fetc%2Fparley%2Fdatabase%2Fca.crt'
      expect(variableOf('DATABASE_URL').value).toBe(`postgres://shop%20user@pooler:6432/parley?${rest}`)
      expect(variableOf('PARLEY_LISTEN_DATABASE_URL').value).toBe(
        `postgres://shop%20user@db1,[fd00::2]:5433/parley?${rest}&target_session_attrs=read-write`,
      )
      expect(variableOf('PGPASSWORD').valueFrom).toEqual({ secretKeyRef: { name: 'database', key: 'pass' } })
      expect(spec.volumes).toContainEqual({
        name: 'database-authority',
        secret: { secretName: 'authority', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
      })
    }
  })

  test.each([
    [
      'values-patroni.yaml',
      'postgres://parley@db1.example.com:5432,db2.example.com:5432/parley?sslmode=verify-full&sslrootcert=%2Fetc%2Fparley%2Fdatabase%2Fca.crt&target_session_attrs=read-write',
    ],
    [
      'values-cloudnativepg.yaml',
      'postgres://parley@parley-db-rw/parley?sslmode=verify-full&sslrootcert=%2Fetc%2Fparley%2Fdatabase%2Fca.crt',
    ],
  ])('has an example for a highly available database: %s', (file, address) => {
    for (const { spec } of podsOf(render({}, file)))
      expect(spec.containers[0].env).toContainEqual({ name: 'DATABASE_URL', value: address })
    expect(readConfig({ DATABASE_URL: address }, ROOT).databaseUrl).toContain('sslmode=verify-full')
  })

  test('keeps files in a shared volume, or in a bucket', () => {
    const [claim] = findAll(render(), 'PersistentVolumeClaim')
    expect(claim.spec.accessModes).toEqual(['ReadWriteMany'])
    expect(claim.metadata.annotations['helm.sh/resource-policy']).toBe('keep')
    const withBucket = render(EVERYTHING)
    expect(findAll(withBucket, 'PersistentVolumeClaim')).toEqual([])
    for (const { spec } of findAll(withBucket, 'Deployment'))
      expect(spec.template.spec.containers[0].env).toContainEqual({
        name: 'PARLEY_MEDIA_URL',
        value: EVERYTHING['media.s3Url'],
      })
    expect(
      findAll(render({ ...PLAIN, 'media.persistence.existingClaim': 'files' }), 'PersistentVolumeClaim'),
    ).toEqual([])
  })

  test('hides health checks and metrics from the ingress', () => {
    const items = render(EVERYTHING)
    const { spec } = findOne(items, 'Ingress', 'shop-parley')
    expect(spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['parley.example.com'], secretName: 'certificate' }],
    })
    const { paths } = spec.rules[0].http
    const hidden = paths.filter(({ backend }: Item) => backend.service.name === 'shop-parley-closed')
    expect(hidden.map(({ path }: Item) => path)).toEqual([
      '/metrics',
      '/readyz',
      '/healthz',
      '/livez',
      '/internal',
    ])
    expect(findOne(items, 'Service', 'shop-parley-closed').spec.selector).toBeUndefined()
    expect(paths.at(-1)).toMatchObject({ path: '/', backend: { service: { name: 'shop-parley' } } })
  })

  test('scales, and is monitored and closed off, if this is turned on', () => {
    const plain = render()
    for (const kind of ['HorizontalPodAutoscaler', 'ServiceMonitor', 'NetworkPolicy', 'Ingress'])
      expect(findAll(plain, kind)).toEqual([])
    const items = render(EVERYTHING)
    for (const role of ['web', 'worker']) {
      const { spec } = findOne(items, 'HorizontalPodAutoscaler', `shop-parley-${role}`)
      expect(spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: `shop-parley-${role}` })
      expect(findOne(items, 'Deployment', `shop-parley-${role}`).spec.replicas).toBeUndefined()
    }
    const monitor = findOne(items, 'ServiceMonitor', 'shop-parley').spec
    const { values } = monitor.selector.matchExpressions[0]
    const monitored = findAll(items, 'Service').filter(({ metadata }) =>
      values.includes(metadata.labels['app.kubernetes.io/component']),
    )
    expect(monitored.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'shop-parley',
      'shop-parley-worker',
    ])
    expect(findAll(items, 'NetworkPolicy')).toHaveLength(2)
  })
})
