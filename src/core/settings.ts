/**
 * Every environment setting, for its reader (src/config.ts), for hints about misspelt names, and for
 * docs/reference/settings.md.
 */
import { nearNames } from './values/near-names.ts'

type Setting = { default: string; meaning: string }

export const SETTINGS = {
  PORT: { default: '4000', meaning: 'The port that Parley listens on.' },
  HOST: { default: '127.0.0.1', meaning: 'The address that Parley listens on, such as `0.0.0.0`.' },
  PARLEY_SITE_URL: {
    default: '`http://localhost:PORT`',
    meaning: 'The public address, without a path. Links in emails, webhooks, and callbacks begin with it.',
  },
  PARLEY_DATA_DIR: {
    default: '`.parley`',
    meaning: 'The folder of the embedded database, files, and the generated secret key.',
  },
  DATABASE_URL: {
    default: 'none: embedded',
    meaning:
      'Your own PostgreSQL, version 15 or later: `postgres://user:password@host:5432/database`. With several hosts (`host1:5432,host2:5432`), Parley connects to the one that accepts writes.',
  },
  PARLEY_SCHEMA: {
    default: '`public`',
    meaning:
      'The cell of this process: the schema with its tables. Several cells share a database (`parley cell create`).',
  },
  PARLEY_DIRECTORY_URL: {
    default: 'the database of the cell',
    meaning:
      'The database with the directory of the cells (`parley cell set`), if the cells are in different databases.',
  },
  PARLEY_LISTEN_DATABASE_URL: {
    default: 'none',
    meaning: 'The address of the database itself, if `DATABASE_URL` is a pooler in transaction mode.',
  },
  PARLEY_NAMED_STATEMENTS: {
    default: '`off`',
    meaning: '`on` if the pooler supports prepared statements, as PgBouncer does since 1.21.',
  },
  REDIS_URL: {
    default: 'none: in this process',
    meaning: 'Redis or Valkey for rate limits that several processes share: `redis://host:6379`.',
  },
  PARLEY_OWNERS_CHANGE_MODULES: {
    default: '`on`',
    meaning:
      'Whether the owner of a workspace can turn its modules on and off in the dashboard. With `off`, only `parley workspace set` does.',
  },
  PARLEY_ROLES: { default: '`web,worker`', meaning: 'The parts of Parley that this process runs.' },
  PARLEY_SECRET_KEY: {
    default: 'created in the data directory on the first start',
    meaning: 'Encrypts stored secrets. At least 32 random characters.',
  },
  PARLEY_EGRESS_ALLOW: {
    default: 'none',
    meaning: 'Private address ranges that outbound calls can reach, separated by commas.',
  },
  PARLEY_EGRESS_CA: {
    default: 'none',
    meaning: 'A PEM file of additional certificate authorities for outbound calls.',
  },
  PARLEY_TRUST_PROXY: {
    default: 'none',
    meaning: 'Address ranges of proxies whose `X-Forwarded-For` header Parley trusts.',
  },
  PARLEY_OPERATOR_URL: {
    default: '`https://graph.facebook.com`',
    meaning: 'The base address of the chat network’s API.',
  },
  PARLEY_OPERATOR_APP_ID: {
    default: 'none',
    meaning:
      'The id of your app at the chat network, for connecting numbers with the operator’s hosted signup. Requires `PARLEY_OPERATOR_APP_SECRET` and `PARLEY_OPERATOR_CONFIG_ID`. See docs/guides/connecting-a-number.md.',
  },
  PARLEY_OPERATOR_APP_SECRET: { default: 'none', meaning: 'The secret of that app.' },
  PARLEY_OPERATOR_CONFIG_ID: {
    default: 'none',
    meaning: 'The id of the app’s configuration of the hosted signup.',
  },
  PARLEY_OPERATOR_DIALOG_URL: {
    default: '`https://www.facebook.com`',
    meaning:
      'The base address of the chat network’s pages on which owners allow the app to use their account.',
  },
  PARLEY_SOCIAL_URL: {
    default: '`https://graph.instagram.com`',
    meaning: 'The base address of the photo network’s API.',
  },
  PARLEY_SHOPIFY_URL: {
    default: 'each shop’s own',
    meaning: 'One address that Parley uses for all Shopify shops.',
  },
  PARLEY_RAZORPAY_URL: {
    default: '`https://api.razorpay.com/v1`',
    meaning: 'The base address of the payment gateway’s API, with its version.',
  },
  PARLEY_SMTP_URL: {
    default: 'none: Parley sends no email',
    meaning: 'The mail server: `smtps://user:password@host:465`. Requires `PARLEY_MAIL_FROM`.',
  },
  PARLEY_MAIL_FROM: { default: 'none', meaning: 'The sender of emails: `Parley <parley@example.com>`.' },
  PARLEY_OIDC_ISSUER: {
    default: 'none',
    meaning: 'The identity provider for single sign-on: `https://login.example.com/realms/company`.',
  },
  PARLEY_OIDC_CLIENT_ID: { default: 'none', meaning: 'The client ID of Parley at the identity provider.' },
  PARLEY_OIDC_CLIENT_SECRET: { default: 'none', meaning: 'The client secret, if the provider requires one.' },
  PARLEY_OIDC_LABEL: {
    default: '`single sign-on`',
    meaning: 'The name of the identity provider on the sign-in page.',
  },
  PARLEY_OIDC_ONLY: {
    default: '`off`',
    meaning: '`on`: no sign-in with passwords or passkeys. Links of `parley sign-in` still work.',
  },
  PARLEY_OIDC_TRUST_EMAIL: {
    default: '`off`',
    meaning: '`on` if the provider verifies all email addresses but does not say so (`email_verified`).',
  },
  PARLEY_OIDC_WORKSPACE: {
    default: 'none',
    meaning: 'The workspace that people join with their first sign-in. Requires `PARLEY_OIDC_DOMAINS`.',
  },
  PARLEY_OIDC_DOMAINS: {
    default: 'none',
    meaning: 'Domains of the email addresses that may join: `example.com,example.org`.',
  },
  PARLEY_OIDC_GROUPS: {
    default: 'none: everyone is an agent',
    meaning:
      'Roles for groups of the provider (claim `groups`): `support=agent,managers=admin`. People without one of these groups do not join.',
  },
  PARLEY_MEDIA_URL: {
    default: 'the data directory',
    meaning: 'An S3-compatible bucket for files: `s3://bucket/prefix?region=…&endpoint=…`.',
  },
  PARLEY_MEDIA_KEY_ID: {
    default: 'the environment’s AWS credentials',
    meaning: 'The id of the bucket’s access key.',
  },
  PARLEY_MEDIA_SECRET: {
    default: 'the environment’s AWS credentials',
    meaning: 'The secret of the bucket’s access key.',
  },
  PARLEY_RETENTION_ACTIVITY_DAYS: {
    default: '365',
    meaning: 'Days that Parley keeps the activity log, from 30 to 3650.',
  },
  PARLEY_RETENTION_OPERATOR_DAYS: {
    default: '7',
    meaning: 'Days that Parley keeps unused operator reports, from 7 to 3650.',
  },
  PARLEY_SECURITY_CONTACT: {
    default: 'none',
    meaning: 'The contact for security reports in `/.well-known/security.txt`: an email or https address.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: 'none: nothing is exported',
    meaning:
      'The OpenTelemetry collector that receives traces, metrics, and logs: `http://collector:4318`. See docs/observability.md.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    default: '`/v1/traces` of the endpoint',
    meaning: 'The whole address for traces.',
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    default: '`/v1/metrics` of the endpoint',
    meaning: 'The whole address for metrics.',
  },
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: {
    default: '`/v1/logs` of the endpoint',
    meaning: 'The whole address for logs.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { default: '`http/protobuf`', meaning: '`http/protobuf` or `http/json`.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: 'none',
    meaning: 'Headers for the collector: `name=value,other=value`, with percent-encoded values.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    default: '10000',
    meaning: 'Milliseconds that one export may take, from 1 to 60000.',
  },
  OTEL_TRACES_EXPORTER: { default: '`otlp`', meaning: '`otlp`, or `none` for no traces.' },
  OTEL_METRICS_EXPORTER: { default: '`otlp`', meaning: '`otlp`, or `none` for no metrics.' },
  OTEL_LOGS_EXPORTER: { default: '`otlp`', meaning: '`otlp`, or `none` for no logs.' },
  OTEL_TRACES_SAMPLER: {
    default: '`parentbased_always_on`',
    meaning:
      'Which traces are exported: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1',
    meaning: 'The part of the traces for `traceidratio`, from 0 to 1.',
  },
  OTEL_SERVICE_NAME: {
    default: '`parley`',
    meaning: 'The name of this service in traces, metrics, and logs.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: 'none',
    meaning: 'Further attributes of this service: `deployment.environment.name=production,host.name=a`.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    default: '8192',
    meaning:
      'The maximum number of spans, and of log lines, that wait for their export, from 512 to 1000000. Further ones are dropped.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    default: '5000',
    meaning: 'The maximum milliseconds that a span or a log line waits, from 10 to 60000.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    default: '60000',
    meaning: 'Milliseconds between two exports of metrics, from 100 to 3600000.',
  },
  OTEL_SDK_DISABLED: { default: '`false`', meaning: '`true`: nothing is exported.' },
  LOG_LEVEL: {
    default: '`info`',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent`.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** Variables with our prefix that other code reads: the key and the server of the CLI, and those of the tests. */
const ELSEWHERE = /^PARLEY_((API_KEY|URL)$|TEST_|BENCH_)/

/** Returns messages about variables with our prefix that are not settings, with the nearest setting. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const settingNames = Object.keys(SETTINGS)
  return Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !ELSEWHERE.test(name))
    .filter((name) => !settingNames.includes(name.replace(/_FILE$/, '')))
    .map((name) => {
      const [nearest] = nearNames(name.replace(/_FILE$/, ''), settingNames, (settingName) =>
        settingName.startsWith(`${name}_`),
      )
      return `${name} isn't a setting.${nearest ? ` Did you mean ${nearest}?` : ''}`
    })
}
