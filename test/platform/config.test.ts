import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, directDatabaseUrl, readConfig } from '../../src/config.ts'
import { ensureSecretKey } from '../../src/startup/secret-key-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-config-'))
let pem = ''
beforeAll(async () => {
  pem = (await generate([{ name: 'commonName', value: 'Test authority' }])).cert
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (env: Record<string, string>) => readConfig(env, folder)

function faultsOf(env: Record<string, string>): string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  expect(read({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:4000',
    dataDir: join(import.meta.dirname, '../..', '.parley'),
    databaseUrl: undefined,
    cell: 'public',
    redisUrl: undefined,
    roles: { web: true, worker: true },
    ownersChangeModules: true,
    secretKey: undefined,
    egressAllow: [],
    egressCa: undefined,
    trustProxy: [],
    operatorUrl: 'https://graph.facebook.com',
    socialUrl: 'https://graph.instagram.com',
    razorpayUrl: 'https://api.razorpay.com/v1',
    retention: { activityDays: 365, operatorDays: 7 },
    logLevel: 'info',
  })
  expect(read({ PORT: '', LOG_LEVEL: ' ' }).port).toBe(4000)
})

test('every variable is read', () => {
  const secretKey = 'k'.repeat(32)
  writeFileSync(join(folder, 'ca.pem'), pem)
  const config = read({
    PORT: '8080',
    HOST: '::',
    PARLEY_SITE_URL: 'https://parley.example.com/',
    PARLEY_DATA_DIR: 'data',
    DATABASE_URL: 'postgres://u:p@/parley?host=/run/postgresql',
    PARLEY_SCHEMA: 'c7',
    REDIS_URL: 'rediss://cache:6379/1',
    PARLEY_ROLES: 'worker',
    PARLEY_OWNERS_CHANGE_MODULES: 'off',
    PARLEY_SECRET_KEY: secretKey,
    PARLEY_EGRESS_ALLOW: '127.0.0.0/8, ::1',
    PARLEY_EGRESS_CA: 'ca.pem',
    PARLEY_TRUST_PROXY: '10.1.2.3',
    PARLEY_OPERATOR_URL: 'http://localhost:9000/v1/',
    PARLEY_OPERATOR_APP_ID: '670843887433847',
    PARLEY_OPERATOR_APP_SECRET: 'app secret',
    PARLEY_OPERATOR_CONFIG_ID: '890123456789012',
    PARLEY_OPERATOR_DIALOG_URL: 'http://localhost:9003/',
    PARLEY_SOCIAL_URL: 'http://localhost:9001/',
    PARLEY_RAZORPAY_URL: 'http://localhost:9002/v1/',
    PARLEY_MEDIA_URL: 's3://files/shop?region=ap-south-1',
    PARLEY_MEDIA_KEY_ID: 'id',
    PARLEY_MEDIA_SECRET: 'secret',
    PARLEY_RETENTION_ACTIVITY_DAYS: '730',
    PARLEY_RETENTION_OPERATOR_DAYS: '14',
    LOG_LEVEL: 'WARN',
  })
  expect(config).toEqual({
    port: 8080,
    host: '::',
    siteUrl: 'https://parley.example.com',
    dataDir: join(folder, 'data'),
    databaseUrl: 'postgres://u:p@/parley?host=%2Frun%2Fpostgresql&options=-c%20search_path%3Dc7',
    cell: 'c7',
    redisUrl: 'rediss://cache:6379/1',
    roles: { web: false, worker: true },
    ownersChangeModules: false,
    secretKey,
    egressAllow: ['127.0.0.0/8', '::1/128'],
    egressCa: pem,
    trustProxy: ['10.1.2.3/32'],
    operatorUrl: 'http://localhost:9000/v1',
    operatorApp: {
      appId: '670843887433847',
      appSecret: 'app secret',
      configId: '890123456789012',
      dialogUrl: 'http://localhost:9003',
    },
    socialUrl: 'http://localhost:9001',
    razorpayUrl: 'http://localhost:9002/v1',
    mediaS3: {
      bucket: 'files',
      prefix: 'shop/',
      region: 'ap-south-1',
      pathStyle: false,
      keyId: 'id',
      secret: 'secret',
    },
    retention: { activityDays: 730, operatorDays: 14 },
    logLevel: 'warn',
  })
})

test('the app at the operator is set completely, or not at all', () => {
  const names = 'PARLEY_OPERATOR_APP_ID, PARLEY_OPERATOR_APP_SECRET, PARLEY_OPERATOR_CONFIG_ID'
  expect(faultsOf({ PARLEY_OPERATOR_APP_ID: '670843887433847', PARLEY_OPERATOR_APP_SECRET: 's' })).toEqual([
    `PARLEY_OPERATOR_CONFIG_ID: Set all of ${names}, or none.`,
  ])
  expect(faultsOf({ PARLEY_OPERATOR_DIALOG_URL: 'http://localhost:9003' })).toEqual([])
  expect(faultsOf({ PARLEY_OPERATOR_APP_ID: 'parley' })).toContain(
    'PARLEY_OPERATOR_APP_ID: Must be an id from the operator, digits only.',
  )
})

test('every name also works with _FILE appended', () => {
  writeFileSync(join(folder, 'port'), '4321\n')
  writeFileSync(join(folder, 'ca.pem'), pem)
  const config = read({ PORT_FILE: 'port', PARLEY_EGRESS_CA_FILE: join(folder, 'ca.pem') })
  expect(config.port).toBe(4321)
  expect(config.siteUrl).toBe('http://localhost:4321')
  expect(config.egressCa).toBe(pem.trim())
})

test.each(['192.168/16', '10', '010.0.0.0/8', '10.0.0.1/', '10.0.0.0/8/8'])(
  'the address range %s is rejected: it is not written in full',
  (range) => {
    expect(faultsOf({ PARLEY_EGRESS_ALLOW: `::1,${range}`, PARLEY_TRUST_PROXY: range })).toEqual([
      expect.stringContaining(
        `PARLEY_EGRESS_ALLOW: Must be address ranges, such as 10.0.0.0/8,::1/128, not ${range}.`,
      ),
      expect.stringContaining(
        `PARLEY_TRUST_PROXY: Must be address ranges, such as 10.0.0.0/8,::1/128, not ${range}.`,
      ),
    ])
  },
)

test('every error is reported together, by name', () => {
  const faults = faultsOf({
    PORT: '70000',
    HOST: 'not a host',
    PARLEY_SITE_URL: 'https://example.com/parley',
    DATABASE_URL: 'mysql://root@db/parley',
    REDIS_URL: 'http://cache',
    PARLEY_ROLES: 'web,wroker',
    PARLEY_SECRET_KEY: 'short',
    PARLEY_EGRESS_ALLOW: '10.0.0.0/33',
    PARLEY_EGRESS_CA: 'missing.pem',
    PARLEY_TRUST_PROXY: 'everyone',
    PARLEY_OPERATOR_URL: 'ftp://operator',
    PARLEY_SOCIAL_URL: 'not an address',
    PARLEY_RAZORPAY_URL: 'not an address',
    PARLEY_MEDIA_URL: 'files',
    PARLEY_MEDIA_KEY_ID: 'id',
    LOG_LEVEL: 'loud',
    PARLEY_DATA_DIR: 'data',
    PARLEY_DATA_DIR_FILE: 'data-dir',
  })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'PORT',
    'HOST',
    'PARLEY_SITE_URL',
    'PARLEY_DATA_DIR',
    'DATABASE_URL',
    'REDIS_URL',
    'PARLEY_ROLES',
    'PARLEY_SECRET_KEY',
    'PARLEY_EGRESS_ALLOW',
    'PARLEY_EGRESS_CA',
    'PARLEY_TRUST_PROXY',
    'PARLEY_OPERATOR_URL',
    'PARLEY_SOCIAL_URL',
    'PARLEY_RAZORPAY_URL',
    'LOG_LEVEL',
    'PARLEY_MEDIA_URL',
    'PARLEY_MEDIA_SECRET',
  ])
})

test('an error never repeats a secret', () => {
  const faults = faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x', PARLEY_SECRET_KEY: 'hunter2' })
  expect(faults).toHaveLength(2)
  expect(faults.join()).not.toContain('hunter2')
})

test.each([
  ['PARLEY_RETENTION_ACTIVITY_DAYS', '29'],
  ['PARLEY_RETENTION_OPERATOR_DAYS', '6'],
  ['PORT', '0'],
  ['PORT', '80a'],
  ['PARLEY_SITE_URL', 'example.com'],
  ['PARLEY_SITE_URL', 'https://user:pw@example.com'],
  ['DATABASE_URL', 'postgres://localhost'],
  ['PARLEY_SCHEMA', 'c_7'],
  ['PARLEY_SCHEMA', 'C7'],
  ['PARLEY_SCHEMA', '7c'],
  ['PARLEY_SCHEMA', 'pgcell'],
  ['PARLEY_SCHEMA', 'c'.repeat(32)],
  ['DATABASE_URL', 'postgres://db1,db2'],
  ['DATABASE_URL', 'postgres://db1,db2:99999/parley'],
  ['DATABASE_URL', 'postgres://db1,db2/parley?target_session_attrs=standby'],
  ['PARLEY_LISTEN_DATABASE_URL', 'postgres://db1,,db2/parley'],
  ['DATABASE_URL', 'postgres://localhost/parley?port=abc'],
  ['DATABASE_URL', 'postgres://u@/parley?host=/run/postgresql&port=99999'],
  ['PARLEY_ROLES', ','],
  ['PORT_FILE', '/nowhere/port'],
])('%s=%s is rejected', (name, value) => {
  expect(faultsOf({ [name]: value })).toHaveLength(1)
})

test('a file without certificates is not an authority', () => {
  writeFileSync(join(folder, 'empty.pem'), 'nothing here')
  expect(faultsOf({ PARLEY_EGRESS_CA: 'empty.pem' })).toEqual([
    'PARLEY_EGRESS_CA: Must contain a certificate in PEM format.',
  ])
})

test('the secret key is created once and kept, readable only by its owner', () => {
  const dataDir = join(folder, 'fresh')
  const key = ensureSecretKey(dataDir)
  expect(key.length).toBeGreaterThanOrEqual(32)
  expect(ensureSecretKey(dataDir)).toBe(key)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('a pooler in front of the database is detected by the direct address', () => {
  const [poolerUrl, directUrl] = ['postgres://u:p@pooler:6432/parley', 'postgres://u:p@database/parley']
  const config = read({ DATABASE_URL: poolerUrl, PARLEY_LISTEN_DATABASE_URL: directUrl })
  expect(config.pooler).toEqual({ listenUrl: directUrl, namedStatements: false })
  expect(directDatabaseUrl(config)).toBe(directUrl)
  const named = {
    DATABASE_URL: poolerUrl,
    PARLEY_LISTEN_DATABASE_URL: directUrl,
    PARLEY_NAMED_STATEMENTS: 'on',
  }
  expect(read(named).pooler?.namedStatements).toBe(true)
  expect(directDatabaseUrl(read({ DATABASE_URL: poolerUrl }))).toBe(poolerUrl)
  expect(faultsOf({ PARLEY_LISTEN_DATABASE_URL: directUrl, PARLEY_NAMED_STATEMENTS: 'yes' })).toEqual([
    expect.stringContaining('PARLEY_NAMED_STATEMENTS'),
    expect.stringContaining('PARLEY_LISTEN_DATABASE_URL: DATABASE_URL must be set too.'),
  ])
})

test('mail needs a server and a sender, and an error repeats no password', () => {
  const from = 'Parley <parley@example.com>'
  expect(read({ PARLEY_SMTP_URL: 'smtp://a%40b:s%3Acret@mail.test', PARLEY_MAIL_FROM: from }).mail).toEqual({
    server: { host: 'mail.test', port: 587, secure: false, user: 'a@b', password: 's:cret' },
    from,
  })
  expect(read({ PARLEY_SMTP_URL: 'smtps://[::1]', PARLEY_MAIL_FROM: 'p@example.com' }).mail?.server).toEqual({
    host: '::1',
    port: 465,
    secure: true,
  })
  expect(faultsOf({ PARLEY_SMTP_URL: 'smtp://mail.test' })).toEqual([
    expect.stringContaining('PARLEY_MAIL_FROM'),
  ])
  const faults = faultsOf({ PARLEY_SMTP_URL: 'http://u:hunter2@mail.test', PARLEY_MAIL_FROM: 'nobody' })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PARLEY_SMTP_URL', 'PARLEY_MAIL_FROM'])
  expect(faults.join()).not.toContain('hunter2')
})

test('nothing is exported without an endpoint, with the SDK disabled, or with no exporter', () => {
  expect(read({}).openTelemetry).toBeUndefined()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).openTelemetry).toBeUndefined()
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
  expect(read({ ...endpoint, ...none }).openTelemetry).toBeUndefined()
})

test('the variables of OpenTelemetry are read', () => {
  const common = { protocol: 'http/json', headers: { 'x-key': 'a b' }, timeoutMs: 2_000 }
  const config = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_SERVICE_NAME: 'shop-messages',
    OTEL_RESOURCE_ATTRIBUTES: 'host.name=a',
    OTEL_BSP_MAX_QUEUE_SIZE: '1000',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  })
  expect(config.openTelemetry).toEqual({
    targets: {
      traces: { url: 'https://traces.example.com/in', ...common },
      metrics: { url: 'http://collector:4318/v1/metrics', ...common },
    },
    sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
    serviceName: 'shop-messages',
    attributes: { 'host.name': 'a' },
    maxWaiting: 1_000,
    delayMs: 100,
    metricsEveryMs: 1_000,
  })
})

test('errors in the variables of OpenTelemetry are reported, and repeat no header', () => {
  const faults = faultsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_HEADERS: 'sesame',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '2',
  })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
  ])
  expect(faults.join()).not.toContain('sesame')
})
