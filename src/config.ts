import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROLES, type Role } from './core/context.ts'
import { isPackage, ROOT } from './core/installation-root.ts'
import {
  type LogLevel,
  list,
  type Parsed,
  parseAuthorities,
  parseCell,
  parseContact,
  parseDatabaseUrl,
  parseDays,
  parseDomains,
  parseHost,
  parseLogLevel,
  parseOnOff,
  parsePort,
  parseRanges,
  parseRedisUrl,
  parseRoles,
  parseSecretKey,
  parseSender,
  parseSiteUrl,
  parseWebAddress,
  parseWorkspaceId,
} from './core/setting-parsers.ts'
import type { SettingName } from './core/settings.ts'
import { DEFAULT_CELL, withCell } from './core/values/cell.ts'
import type { OpenIdSettings } from './identity-provider/openid.ts'
import type { Joining } from './identity-provider/port.ts'
import type { SmtpAddress } from './mail/smtp.ts'
import { parseSmtpAddress } from './mail/smtp-address.ts'
import { parseS3Address, type S3Address } from './media-store/s3-address.ts'
import {
  type OpenTelemetrySettings,
  type OtlpTarget,
  PROTOCOLS,
  parseOneOf,
  parsePairs,
  parseRatio,
  parseWhole,
  SAMPLERS,
  SIGNALS,
} from './opentelemetry/settings.ts'
import type { OperatorAppSettings } from './operator/signup-port.ts'

/** The checked settings of the environment. Addresses have no trailing slash; ranges are in CIDR notation. */
export type Config = {
  port: number
  host: string
  siteUrl: string
  /** An absolute path. */
  dataDir: string
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl?: string
  /**
   * Present: `databaseUrl` is the address of a pooler in transaction mode, and `listenUrl` that of the database itself
   * (docs/decisions/database.md).
   */
  pooler?: { listenUrl: string; namedStatements: boolean }
  /** The schema with this installation's tables. Addresses of the database itself name it too; a pooler must set it. */
  cell: string
  /** The database with the directory of the cells, if it is not that of the cell. */
  directoryUrl?: string
  /** Absent: this process counts rate limits alone. */
  redisUrl?: string
  roles: { web: boolean; worker: boolean }
  /** Whether owners turn the modules of their workspaces on and off. */
  ownersChangeModules: boolean
  /** Absent: `ensureSecretKey(dataDir)`. */
  secretKey?: string
  egressAllow: string[]
  /** PEM text of additional certificate authorities for outbound calls. */
  egressCa?: string
  trustProxy: string[]
  operatorUrl: string
  /** The app at the operator through which admins connect numbers; absent: they enter the credentials of a number. */
  operatorApp?: OperatorAppSettings
  socialUrl: string
  /** Base URL of Shopify's API for all shops; absent: each shop's own address. */
  shopifyUrl?: string
  /** Base URL of the payment gateway's API, with its version. */
  razorpayUrl: string
  /** The mail server, and the sender of its mails; absent: no mail is sent. */
  mail?: { server: SmtpAddress; from: string }
  /** Single sign-on; absent: people sign in with a password, a passkey, or a link. */
  oidc?: OpenIdSettings
  /** Storage of files; absent: in `dataDir`. */
  mediaS3?: S3Address
  /** Days for which the activity log is kept, and the operator's reports that had no effect. */
  retention: { activityDays: number; operatorDays: number }
  /** Address for reports of vulnerabilities; absent: there is no security.txt. */
  securityContact?: string
  logLevel: LogLevel
  /** Absent: nothing is exported to a collector. */
  openTelemetry?: OpenTelemetrySettings
}

/** All faults of the environment, one line each with the name of the variable. */
export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(
      `${faults.length === 1 ? "A setting isn't valid" : "Some settings aren't valid"}:\n${faults.map((f) => `  ${f}\n`).join('')}`,
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

type Environment = Record<string, string | undefined>

/**
 * Reads every variable of the environment (each also as NAME_FILE, a file that contains the value). An empty variable counts as
 * absent. Relative paths start at `cwd`, but the default data directory is the clone's, so that the CLI finds it from any
 * folder. The package from npm uses the current folder. Throws ConfigError with all faults together.
 */
export function readConfig(env: Environment, cwd: string): Config {
  const faults: string[] = []
  const read = <T>(name: SettingName, fallback: T, parse: (text: string) => Parsed<T>): T => {
    const text = textOf(env, name, cwd, faults)
    if (text === undefined) return fallback
    const parsed = parse(text)
    if ('value' in parsed) return parsed.value
    faults.push(`${name}: ${parsed.problem}`)
    return fallback
  }
  const port = read('PORT', 4000, parsePort)
  const config: Config = {
    port,
    host: read('HOST', '127.0.0.1', parseHost),
    siteUrl: read('PARLEY_SITE_URL', `http://localhost:${port}`, parseSiteUrl),
    dataDir: read('PARLEY_DATA_DIR', join(isPackage() ? cwd : ROOT, '.parley'), (text) => ({
      value: resolve(cwd, text),
    })),
    databaseUrl: read<string | undefined>('DATABASE_URL', undefined, parseDatabaseUrl),
    directoryUrl: read<string | undefined>('PARLEY_DIRECTORY_URL', undefined, parseDatabaseUrl),
    cell: read('PARLEY_SCHEMA', DEFAULT_CELL, parseCell),
    redisUrl: read<string | undefined>('REDIS_URL', undefined, parseRedisUrl),
    roles: read('PARLEY_ROLES', { web: true, worker: true }, parseRoles),
    ownersChangeModules: read('PARLEY_OWNERS_CHANGE_MODULES', true, parseOnOff),
    secretKey: read<string | undefined>('PARLEY_SECRET_KEY', undefined, parseSecretKey),
    egressAllow: read<string[]>('PARLEY_EGRESS_ALLOW', [], parseRanges),
    egressCa: read<string | undefined>('PARLEY_EGRESS_CA', undefined, (text) => parseAuthorities(text, cwd)),
    trustProxy: read<string[]>('PARLEY_TRUST_PROXY', [], parseRanges),
    operatorUrl: read('PARLEY_OPERATOR_URL', 'https://graph.facebook.com', parseWebAddress),
    socialUrl: read('PARLEY_SOCIAL_URL', 'https://graph.instagram.com', parseWebAddress),
    shopifyUrl: read<string | undefined>('PARLEY_SHOPIFY_URL', undefined, parseWebAddress),
    razorpayUrl: read('PARLEY_RAZORPAY_URL', 'https://api.razorpay.com/v1', parseWebAddress),
    retention: {
      activityDays: read('PARLEY_RETENTION_ACTIVITY_DAYS', 365, parseDays(30)),
      operatorDays: read('PARLEY_RETENTION_OPERATOR_DAYS', 7, parseDays(7)),
    },
    securityContact: read<string | undefined>('PARLEY_SECURITY_CONTACT', undefined, parseContact),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', parseLogLevel),
    ...readMediaPlace(read, faults),
    ...readOperatorApp(read, faults),
    ...readMail(read, faults),
    ...readOidc(read, faults),
    ...readOpenTelemetry(read),
  }
  const pooler = readPooler(read, faults, config.databaseUrl)
  if (faults.length > 0) throw new ConfigError(faults)
  const settings = { ...config, ...pooler }
  return settings.cell === DEFAULT_CELL ? settings : inCell(settings, settings.cell)
}

type Read = <T>(name: SettingName, fallback: T, parse: (text: string) => Parsed<T>) => T

/** Returns the settings for a command in a cell of the same database, without a pooler: its connections are in one cell. */
export function directlyInCell(config: Config, cell: string): Config {
  const { pooler, ...settings } = config
  return inCell(pooler ? { ...settings, databaseUrl: pooler.listenUrl } : settings, cell)
}

/** Returns the settings for a cell of the same database. */
export function inCell(config: Config, cell: string): Config {
  const { databaseUrl, pooler } = config
  if (pooler) return { ...config, cell, pooler: { ...pooler, listenUrl: withCell(pooler.listenUrl, cell) } }
  return {
    ...config,
    cell,
    ...(databaseUrl === undefined ? {} : { databaseUrl: withCell(databaseUrl, cell) }),
  }
}

/** Reads the pooler in front of the database, if there is one. */
function readPooler(read: Read, faults: string[], databaseUrl: string | undefined): Pick<Config, 'pooler'> {
  const listenUrl = read<string | undefined>('PARLEY_LISTEN_DATABASE_URL', undefined, parseDatabaseUrl)
  const namedStatements = read('PARLEY_NAMED_STATEMENTS', false, parseOnOff)
  if (listenUrl === undefined) return {}
  if (databaseUrl === undefined) faults.push('PARLEY_LISTEN_DATABASE_URL: DATABASE_URL must be set too.')
  return { pooler: { listenUrl, namedStatements } }
}

/** Reads the app at the operator; empty without one. */
function readOperatorApp(read: Read, faults: string[]): Pick<Config, 'operatorApp'> {
  const plain = (text: string): Parsed<string> => ({ value: text })
  const values = {
    PARLEY_OPERATOR_APP_ID: read<string | undefined>('PARLEY_OPERATOR_APP_ID', undefined, parseOperatorId),
    PARLEY_OPERATOR_APP_SECRET: read<string | undefined>('PARLEY_OPERATOR_APP_SECRET', undefined, plain),
    PARLEY_OPERATOR_CONFIG_ID: read<string | undefined>(
      'PARLEY_OPERATOR_CONFIG_ID',
      undefined,
      parseOperatorId,
    ),
  }
  const dialogUrl = read('PARLEY_OPERATOR_DIALOG_URL', 'https://www.facebook.com', parseWebAddress)
  const {
    PARLEY_OPERATOR_APP_ID: appId,
    PARLEY_OPERATOR_APP_SECRET: appSecret,
    PARLEY_OPERATOR_CONFIG_ID: configId,
  } = values
  if (appId !== undefined && appSecret !== undefined && configId !== undefined)
    return { operatorApp: { appId, appSecret, configId, dialogUrl } }
  const names = Object.entries(values)
  const missing = names.filter(([, value]) => value === undefined).map(([name]) => name)
  if (missing.length < names.length)
    for (const name of missing) faults.push(`${name}: Set all of ${Object.keys(values).join(', ')}, or none.`)
  return {}
}

const parseOperatorId = (text: string): Parsed<string> =>
  /^\d{5,30}$/.test(text) ? { value: text } : { problem: 'Must be an id from the operator, digits only.' }

/** Reads the mail server with the sender of its mails; empty without one. */
function readMail(read: Read, faults: string[]): Pick<Config, 'mail'> {
  const server = read<SmtpAddress | undefined>('PARLEY_SMTP_URL', undefined, parseSmtpAddress)
  const from = read<string | undefined>('PARLEY_MAIL_FROM', undefined, parseSender)
  if (server === undefined) return {}
  if (from === undefined) {
    faults.push('PARLEY_MAIL_FROM: Set both PARLEY_MAIL_FROM and PARLEY_SMTP_URL, or neither.')
    return {}
  }
  return { mail: { server, from } }
}

/** Reads the identity provider; empty without one. */
function readOidc(read: Read, faults: string[]): Pick<Config, 'oidc'> {
  const plain = (text: string): Parsed<string> => ({ value: text })
  const issuer = read<string | undefined>('PARLEY_OIDC_ISSUER', undefined, parseWebAddress)
  const clientId = read<string | undefined>('PARLEY_OIDC_CLIENT_ID', undefined, plain)
  const clientSecret = read<string | undefined>('PARLEY_OIDC_CLIENT_SECRET', undefined, plain)
  const label = read('PARLEY_OIDC_LABEL', 'single sign-on', plain)
  const only = read('PARLEY_OIDC_ONLY', false, parseOnOff)
  const trustsEmail = read('PARLEY_OIDC_TRUST_EMAIL', false, parseOnOff)
  const workspaceId = read<string | undefined>('PARLEY_OIDC_WORKSPACE', undefined, parseWorkspaceId)
  const domains = read<string[]>('PARLEY_OIDC_DOMAINS', [], parseDomains)
  const roles = read<Joining['roles']>('PARLEY_OIDC_GROUPS', [], parseGroups)
  if ((issuer === undefined) !== (clientId === undefined)) {
    const [missing, present] =
      issuer === undefined
        ? ['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_CLIENT_ID']
        : ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_ISSUER']
    faults.push(`${missing}: Set both ${present} and ${missing}, or neither.`)
  }
  if ((workspaceId === undefined) !== (domains.length === 0))
    faults.push('PARLEY_OIDC_WORKSPACE: Set both PARLEY_OIDC_WORKSPACE and PARLEY_OIDC_DOMAINS, or neither.')
  if (issuer === undefined || clientId === undefined) return {}
  const joining = workspaceId === undefined ? null : { workspaceId, domains, roles }
  return {
    oidc: {
      issuer,
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      label,
      only,
      trustsEmail,
      joining,
    },
  }
}

/** Reads the receivers of traces, metrics, and logs; empty without one. */
function readOpenTelemetry(read: Read): Pick<Config, 'openTelemetry'> {
  const base = read<string | undefined>('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, parseWebAddress)
  const common = {
    protocol: read('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', parseOneOf(PROTOCOLS)),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', {}, parsePairs),
    timeoutMs: read('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, parseWhole(1, 60_000)),
  }
  const targets: OpenTelemetrySettings['targets'] = {}
  for (const signal of SIGNALS) {
    const name = signal.toUpperCase() as Uppercase<typeof signal>
    const own = read<string | undefined>(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`, undefined, parseWebAddress)
    const exporter = read(`OTEL_${name}_EXPORTER`, 'otlp', parseOneOf(['otlp', 'none']))
    const url: OtlpTarget['url'] | undefined = own ?? (base && `${base}/v1/${signal}`)
    if (exporter === 'otlp' && url !== undefined) targets[signal] = { url, ...common }
  }
  const settings: Omit<OpenTelemetrySettings, 'targets'> = {
    sampler: {
      name: read('OTEL_TRACES_SAMPLER', 'parentbased_always_on', parseOneOf(SAMPLERS)),
      ratio: read('OTEL_TRACES_SAMPLER_ARG', 1, parseRatio),
    },
    serviceName: read('OTEL_SERVICE_NAME', 'parley', (text) => ({ value: text })),
    attributes: read('OTEL_RESOURCE_ATTRIBUTES', {}, parsePairs),
    maxWaiting: read('OTEL_BSP_MAX_QUEUE_SIZE', 8_192, parseWhole(512, 1_000_000)),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', 5_000, parseWhole(10, 60_000)),
    metricsEveryMs: read('OTEL_METRIC_EXPORT_INTERVAL', 60_000, parseWhole(100, 3_600_000)),
  }
  const disabled = read('OTEL_SDK_DISABLED', 'false', parseOneOf(['true', 'false'])) === 'true'
  return disabled || Object.keys(targets).length === 0 ? {} : { openTelemetry: { targets, ...settings } }
}

/** Reads `group=role` pairs. A person in several groups gets the highest role. */
function parseGroups(text: string): Parsed<Joining['roles']> {
  const roles = list(text).map((pair) => {
    const [, group, role] = /^(.+)=(viewer|agent|admin)$/.exec(pair) ?? []
    return { group: group ?? '', role: role as Role }
  })
  if (roles.length === 0 || roles.some(({ group }) => group === ''))
    return { problem: 'Must be groups with their roles, such as support=agent,managers=admin.' }
  return { value: roles.sort((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role)) }
}

/** Reads the bucket for files, with its keys; empty for the data directory. */
function readMediaPlace(read: Read, faults: string[]): Pick<Config, 'mediaS3'> {
  const address = read<S3Address | undefined>('PARLEY_MEDIA_URL', undefined, parseS3Address)
  const plain = (text: string): Parsed<string> => ({ value: text })
  const keyId = read('PARLEY_MEDIA_KEY_ID', '', plain)
  const secret = read('PARLEY_MEDIA_SECRET', '', plain)
  if ((keyId === '') !== (secret === ''))
    faults.push(
      `${keyId === '' ? 'PARLEY_MEDIA_KEY_ID' : 'PARLEY_MEDIA_SECRET'}: Set both PARLEY_MEDIA_KEY_ID and PARLEY_MEDIA_SECRET, or neither.`,
    )
  if (address === undefined) return {}
  return { mediaS3: keyId === '' ? address : { ...address, keyId, secret } }
}

function textOf(env: Environment, name: string, cwd: string, faults: string[]): string | undefined {
  const direct = env[name]?.trim() || undefined
  const file = env[`${name}_FILE`]?.trim() || undefined
  if (!file) return direct
  if (direct) {
    faults.push(`${name}: Set either ${name} or ${name}_FILE, not both.`)
    return undefined
  }
  try {
    return readFileSync(resolve(cwd, file), 'utf8').trim() || undefined
  } catch (error) {
    faults.push(`${name}_FILE: ${file} can't be read (${(error as NodeJS.ErrnoException).code}).`)
    return undefined
  }
}

/** Returns the address of the database itself, without a pooler, for sessions: listening, migrations, backups. */
export const directDatabaseUrl = (config: Config): string | undefined =>
  config.pooler?.listenUrl ?? config.databaseUrl
