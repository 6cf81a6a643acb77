/** The column "may import" of ARCHITECTURE.md, as data. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

/** The groups of modules. A group may use the groups before it. */
const GROUPS = ['platform', 'messaging', 'selling', 'automating', 'reporting']

/** Each module may use the modules before it. */
const MODULES = [
  'platform/workspaces',
  'platform/access',
  'platform/push',
  'platform/notifications',
  'platform/business-hours',
  'messaging/contacts',
  'messaging/conversations',
  'messaging/drafts',
  'messaging/media',
  'messaging/templates',
  'messaging/messages',
  'messaging/ratings',
  'messaging/quick-replies',
  'messaging/macros',
  'messaging/flows',
  'messaging/broadcasts',
  'selling/crm',
  'selling/social',
  'selling/payments',
  'selling/invoicing',
  'selling/bookings',
  'selling/reviews',
  'automating/imports',
  'automating/history-imports',
  'automating/integrations',
  'automating/auto-replies',
  'automating/bots',
  'automating/chat-assistant',
  'automating/automations',
  'automating/sandbox',
  'reporting/search',
  'reporting/analytics',
  'reporting/billing',
  'reporting/campaign-results',
  'reporting/contact-overview',
  'reporting/message-trace',
  'reporting/reports',
  // It listens to events: only the catalog and the composition root import it.
  'platform/webhooks',
]

/** The folders that every module may import. */
const LANGUAGE = ['core/', 'database/sql/']

/**
 * Prefixes of paths under src that a folder may import in addition to itself. The longest matching prefix
 * counts.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'core/': [],
  // The PostgreSQL helpers that statements are written with.
  'database/sql/': ['core/'],
  'database/': ['core/'],
  'egress/': ['core/'],
  'payment-gateway/': ['core/', 'egress/'],
  'assistant/': ['core/', 'egress/'],
  'shop/': ['core/', 'egress/'],
  'chatwoot/': ['core/', 'egress/'],
  'identity-provider/': ['core/', 'egress/'],
  // Shared by all senders: batches of results, slow start, fair places.
  'dispatch/': ['core/'],
  'operator/': ['core/', 'egress/'],
  'social-network/': ['core/', 'egress/'],
  // Both networks' APIs belong to one family: simulated bodies and errors are shared.
  'social-network/simulator/': ['core/', 'operator/simulator/'],
  'media-store/': ['core/'],
  'pdf/': ['core/'],
  'mail/': ['core/'],
  'web-push/': ['core/', 'egress/'],
  'opentelemetry/': ['core/'],
  'modules/': [
    ...LANGUAGE,
    'dispatch/',
    'operator/port.ts',
    'operator/error-classes.ts',
    'operator/refusals.ts',
  ],
  // Browsers receive encrypted notifications.
  'modules/platform/push/': [...LANGUAGE, 'web-push/'],
  // The operator's rules for the parts of a template.
  'modules/messaging/templates/': [
    ...LANGUAGE,
    'operator/port.ts',
    'operator/error-classes.ts',
    'operator/refusals.ts',
    'operator/media-types.ts',
    'operator/template-components/',
  ],
  // Files must have the operator's types and sizes, and are recognized by their first bytes.
  'modules/messaging/media/': [
    ...LANGUAGE,
    'media-store/port.ts',
    'operator/port.ts',
    'operator/refusals.ts',
    'operator/media-types.ts',
    'operator/media-signatures.ts',
  ],
  // Messages must respect the operator's limits for each kind, and carry its types of files.
  'modules/messaging/messages/': [
    ...LANGUAGE,
    'dispatch/',
    'operator/port.ts',
    'operator/report.ts',
    'operator/error-classes.ts',
    'operator/refusals.ts',
    'operator/message-payload/',
    'operator/media-types.ts',
    'operator/identifiers.ts',
  ],
  // People sign in at the installation's identity provider.
  'modules/platform/access/': [
    ...LANGUAGE,
    'identity-provider/port.ts',
    'operator/port.ts',
    'operator/signup-port.ts',
  ],
  // Posts contain their own files.
  'modules/selling/social/': [
    ...LANGUAGE,
    'media-store/port.ts',
    'social-network/port.ts',
    'social-network/refusals.ts',
  ],
  // A payment request is a message in the operator's format.
  'modules/selling/payments/': [
    ...LANGUAGE,
    'operator/port.ts',
    'operator/message-payload/',
    'payment-gateway/port.ts',
  ],
  // A document is laid out for printing.
  'modules/selling/invoicing/': [...LANGUAGE, 'payment-gateway/port.ts', 'pdf/port.ts'],
  // The assistant may answer at the end of a bot.
  'modules/automating/bots/': [...LANGUAGE, 'assistant/port.ts'],
  // The assistant writes text for members.
  'modules/automating/chat-assistant/': [...LANGUAGE, 'assistant/port.ts'],
  // Shops' reports arrive through their port; the photo network says whose account a token is.
  'modules/automating/integrations/': [...LANGUAGE, 'shop/port.ts', 'social-network/port.ts'],
  // Chatwoot is read through its port, and files must be of the operator's types.
  'modules/automating/history-imports/': [...LANGUAGE, 'chatwoot/port.ts', 'operator/media-types.ts'],
  // A form's message is checked against the same limits before it is passed to messages.
  'modules/messaging/flows/': [
    ...LANGUAGE,
    'operator/port.ts',
    'operator/refusals.ts',
    'operator/message-payload/',
  ],
  'http/wire/': ['core/', 'database/faults.ts'],
  'http/rate-limit/': ['core/', 'http/wire/'],
  'http/auth/': [
    'core/',
    'http/wire/',
    'http/rate-limit/',
    'modules/platform/workspaces/',
    'modules/platform/access/session-directory.ts',
  ],
  'http/endpoint/': [
    'core/',
    'database/sql/',
    'database/faults.ts',
    'http/wire/',
    'http/rate-limit/',
    'http/auth/',
  ],
  'http/upload/': ['core/', 'http/wire/', 'http/auth/', 'http/endpoint/'],
  'http/openapi/': ['core/', 'http/wire/', 'http/endpoint/'],
  'http/callbacks/': [
    'core/',
    'http/wire/',
    'http/rate-limit/',
    'http/auth/',
    'http/endpoint/',
    'modules/platform/workspaces/',
  ],
  'http/cells/': ['core/', 'http/wire/'],
  'http/mcp/': [
    'core/',
    'http/wire/',
    'http/rate-limit/',
    'http/auth/',
    'http/endpoint/',
    'http/files/docs-texts.ts',
    'http/oauth/metadata.ts',
  ],
  'http/oauth/': ['core/', 'http/wire/'],
  'http/scim/': ['core/', 'http/wire/', 'http/rate-limit/', 'http/auth/', 'http/endpoint/'],
  'http/live/': ['core/', 'http/wire/', 'http/auth/', 'modules/platform/access/session-directory.ts'],
  // In addition to the sources: the place where the dashboard is built.
  'http/files/': [
    'core/',
    'http/wire/',
    'http/rate-limit/',
    'http/auth/',
    'http/endpoint/',
    'http/callbacks/',
    'modules/platform/workspaces/',
    '../bin/pages.mjs',
  ],
  'http/server/': ['core/', 'http/'],
  'catalog.ts': [
    'core/',
    'modules/',
    'http/openapi/documented-order.ts',
    'http/openapi/openapi.ts',
    'http/endpoint/answers-source.ts',
    'worker/',
  ],
  'worker/': ['core/', 'database/', 'catalog.ts'],
  // A port reads its own settings.
  'config.ts': [
    'core/',
    'identity-provider/',
    'mail/',
    'media-store/',
    'opentelemetry/settings.ts',
    'operator/signup-port.ts',
  ],
  'main.ts': ['core/installation-root.ts', 'startup/'],
  'logging/': ['core/', 'config.ts'],
  // The bindings: functions of the modules that a port needs, one file for each binding.
  'adapters/': [
    'config.ts',
    'core/',
    'database/',
    'egress/',
    'http/',
    'identity-provider/port.ts',
    'media-store/',
    'opentelemetry/',
    'operator/',
    'social-network/',
    'payment-gateway/',
    'shop/',
    'modules/',
  ],
  // The composition root opens everything.
  'startup/': [
    '../bin/pages.mjs',
    'adapters/',
    'assistant/',
    'catalog.ts',
    'chatwoot/',
    'config.ts',
    'core/',
    'database/',
    'egress/',
    'http/',
    'identity-provider/',
    'logging/',
    'mail/',
    'web-push/',
    'media-store/',
    'modules/',
    'opentelemetry/',
    'operator/',
    'pdf/',
    'social-network/',
    'payment-gateway/',
    'shop/',
    'worker/',
  ],
  // Writes the generated files: the reference, the client's types, the dashboard's paths.
  'tools/': ['catalog.ts', 'core/', 'database/', 'http/', 'modules/', 'operator/'],
  // The CLI works on the installation directly, without the server.
  'cli/': [
    '../bin/build-pages.mjs',
    'tools/',
    'adapters/social-profile.ts',
    // The doctor opens the same parts as the server.
    'adapters/payment-gateway.ts',
    // Chaos sends as the server does.
    'adapters/webhook-sender.ts',
    'egress/',
    // It simulates the same parts as the server.
    'adapters/simulated-payments.ts',
    'catalog.ts',
    'chatwoot/',
    'config.ts',
    'core/',
    'database/',
    'http/',
    'media-store/',
    'modules/',
    'operator/',
    'social-network/',
    'payment-gateway/',
    'shop/',
    'startup/',
    '../bin/pages.mjs',
  ],
  // Owners are notified by mail when their endpoints are turned off.
  'modules/platform/webhooks/': [...LANGUAGE, 'dispatch/', 'mail/port.ts'],
  // The sandbox plays the operator's customers and stores the simulator's data.
  'modules/automating/sandbox/': [
    ...LANGUAGE,
    'operator/port.ts',
    'operator/simulator/',
    'payment-gateway/simulator/',
    'shop/simulator/',
    'social-network/simulator/',
  ],
}
/** The files that a module exports to later modules. */
const SHOWN = /^modules\/[^/]+\/[^/]+\/([a-z-]+\/)?(operations(\/.+)?|([a-z]+-)?schema|([a-z]+-)?events)\.ts$/
/**
 * The workspace data that authentication caches is exported too, because it belongs to the platform. Imports use the shape of past
 * messages, and the operator's rules for files.
 */
const SHOWN_BESIDES = [
  'modules/messaging/media/file-checks.ts',
  'modules/messaging/messages/past/past-message.ts',
  'modules/platform/workspaces/directory.ts',
  'modules/platform/workspaces/remembered.ts',
]
/** The files that a module's list (`module.ts`) may import. */
const LISTED =
  /^modules\/[^/]+\/[^/]+\/([a-z-]+\/)?(endpoints|([a-z]+-)?events|([a-z]+-)?jobs|work)(\/.+)?\.ts$/
const isList = (path: string): boolean => basename(path) === 'module.ts'

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
const sources = files.filter((path) => !path.endsWith('.test.ts'))
const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')

const IMPORT =
  /^(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

/** Returns the paths under src that a file imports, including types. */
function importsOf(path: string): string[] {
  const specifiers = [...textOf(path).matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(SRC, join(SRC, dirname(path), specifier)).replaceAll('\\', '/'))
}

const moduleOf = (path: string): string | undefined => /^modules\/([^/]+\/[^/]+)\//.exec(path)?.[1]

function folderOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((folder) => path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0]
}

function mayImport(from: string, to: string): boolean {
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)]
  if (fromModule && fromModule === toModule) return isList(from) ? LISTED.test(to) : !isList(to)
  if (fromModule && toModule)
    return (
      toModule !== 'platform/webhooks' &&
      MODULES.indexOf(toModule) < MODULES.indexOf(fromModule) &&
      (SHOWN.test(to) || SHOWN_BESIDES.includes(to))
    )
  if (from === 'catalog.ts' && toModule) return isList(to)
  const folder = folderOf(from)
  if (!folder) return false
  const own = folder.startsWith('modules/') ? `modules/${fromModule}/` : folder
  return to.startsWith(own) || (MAY_IMPORT[folder] ?? []).some((prefix) => to.startsWith(prefix))
}

describe('allowed imports', () => {
  test('no file imports a file that its folder may not import', () => {
    const violations = sources.flatMap((from) =>
      importsOf(from)
        .filter((to) => !mayImport(from, to))
        .map((to) => `${from} imports ${to}`),
    )
    expect(violations).toEqual([])
  })

  test('the table detects violations', () => {
    expect(mayImport('core/errors.ts', 'http/wire/answer.ts')).toBe(false)
    expect(
      mayImport('modules/messaging/contacts/operations/x.ts', 'modules/messaging/conversations/schema.ts'),
    ).toBe(false)
    expect(
      mayImport(
        'modules/messaging/messages/operations/x.ts',
        'modules/messaging/contacts/queries/contacts.ts',
      ),
    ).toBe(false)
    expect(
      mayImport('modules/messaging/messages/operations/x.ts', 'modules/platform/webhooks/schema.ts'),
    ).toBe(false)
    expect(mayImport('modules/messaging/messages/operations/x.ts', 'egress/egress.ts')).toBe(false)
    expect(
      mayImport('modules/messaging/messages/operations/x.ts', 'modules/messaging/contacts/operations/y.ts'),
    ).toBe(true)
    expect(importsOf('catalog.ts')).toContain('core/endpoint.ts')
  })

  test('ARCHITECTURE.md names every module, in the order in which modules may use each other', () => {
    const page = readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8')
    const rows = GROUPS.map((group) => {
      const modules = MODULES.filter((name) => name.startsWith(`${group}/`))
      return `| \`src/modules/${group}\` | ${modules.map((name) => name.slice(group.length + 1)).join(', ')} |`
    })
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
    expect(readdirSync(join(SRC, 'modules')).sort()).toEqual(GROUPS.toSorted())
    const folders = GROUPS.flatMap((group) =>
      readdirSync(join(SRC, 'modules', group)).map((name) => `${group}/${name}`),
    )
    expect(folders.sort()).toEqual(MODULES.toSorted())
  })

  test('no group of modules imports a later group', () => {
    const groupOf = (path: string) => GROUPS.indexOf(moduleOf(path)?.split('/')[0] ?? '')
    const violations = sources.flatMap((from) =>
      importsOf(from)
        .filter((to) => moduleOf(from) && groupOf(to) > groupOf(from))
        .map((to) => `${from} imports ${to}`),
    )
    expect(violations).toEqual([])
  })

  test('every folder and every file at the root has its row', () => {
    const unowned = sources.filter((path) => !folderOf(path))
    expect(unowned).toEqual([])
    expect(files.filter((path) => !path.includes('/')).sort()).toEqual(['catalog.ts', 'config.ts', 'main.ts'])
  })

  test('the only cycle is that of a module with itself', () => {
    expect(mayImport('startup/start.ts', 'cli/main.ts')).toBe(false)
    expect(mayImport('adapters/form-capture.ts', 'startup/start.ts')).toBe(false)
    expect(mayImport('logging/log.ts', 'modules/platform/webhooks/schema.ts')).toBe(false)
  })

  test('every module is in the order', () => {
    const modules = [...new Set(files.map(moduleOf).filter((name) => name !== undefined))]
    expect(modules.filter((name) => !MODULES.includes(name))).toEqual([])
  })
})

describe('files', () => {
  test('are kebab-case', () => {
    const misnamed = files.filter(
      (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|-child)?\.ts$/.test(basename(path)),
    )
    expect(misnamed).toEqual([])
  })

  test('have meaningful names', () => {
    const vague =
      /^(index|utils?|helpers?|common|manager|services?|misc)\b|-(utils?|helpers?|manager|service)\./
    expect(files.filter((path) => vague.test(basename(path)))).toEqual([])
  })
})

describe('time', () => {
  const code = (path: string): string => textOf(path).replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')

  test('only core/clock.ts reads it', () => {
    const readers = sources.filter(
      (path) => path !== 'core/clock.ts' && /\bDate\.now\(|\bnew Date\(\s*\)/.test(code(path)),
    )
    expect(readers).toEqual([])
  })

  test('no statement decides by the clock of the database', () => {
    const deciding = sources.filter((path) =>
      /(?<![.\w])(now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_(timestamp|date)\b/i.test(
        code(path),
      ),
    )
    // The time when a migration was applied decides nothing; the doctor compares the two clocks.
    const excused = ['core/clock.ts', 'database/migrate.ts', 'cli/doctor-database.ts']
    expect(deciding.filter((path) => !excused.includes(path))).toEqual([])
  })
})
