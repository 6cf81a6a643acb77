/** The column "may import" of ARCHITECTURE.md, as data. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

/** Each module may use those before it. */
const MODULES = [
  'workspaces',
  'access',
  'notifications',
  'business-hours',
  'contacts',
  'conversations',
  'drafts',
  'media',
  'templates',
  'messages',
  'quick-replies',
  'flows',
  'broadcasts',
  'crm',
  'imports',
  'search',
  'social',
  'payments',
  'invoicing',
  'bookings',
  'reviews',
  'integrations',
  'auto-replies',
  'bots',
  'automations',
  'analytics',
  'billing',
  'sandbox',
  // It listens: only the catalog and the composition root know it.
  'webhooks',
]

/** What a folder may import besides itself: prefixes of paths under src. The longest prefix that fits counts. */
const MAY_IMPORT: Record<string, string[]> = {
  'core/': [],
  'database/': ['core/'],
  'egress/': ['core/'],
  'payment-gateway/': ['core/', 'egress/'],
  'assistant/': ['core/', 'egress/'],
  'shop/': ['core/', 'egress/'],
  // What every sender shares: batches of results, slow start, fair places.
  'dispatch/': ['core/'],
  'operator/': ['core/', 'egress/'],
  'social-network/': ['core/', 'egress/'],
  // Both networks' APIs are of one family: how it reads bodies and words its errors is played once.
  'social-network/simulator/': ['core/', 'operator/simulator/'],
  'media-store/': ['core/'],
  'pdf/': ['core/'],
  'mail/': ['core/'],
  'modules/': ['core/', 'dispatch/', 'operator/port.ts', 'operator/error-classes.ts', 'operator/refusals.ts'],
  // The operator's rules for the parts of a template.
  'modules/templates/': [
    'core/',
    'operator/port.ts',
    'operator/refusals.ts',
    'operator/media-types.ts',
    'operator/template-components/',
  ],
  // Files are held to the operator's kinds and sizes, and known by their first bytes.
  'modules/media/': [
    'core/',
    'media-store/port.ts',
    'operator/port.ts',
    'operator/refusals.ts',
    'operator/media-types.ts',
    'operator/media-signatures.ts',
  ],
  // Messages are held to the operator's limits of each kind, and carry its kinds of files.
  'modules/messages/': [
    'core/',
    'dispatch/',
    'operator/port.ts',
    'operator/report.ts',
    'operator/error-classes.ts',
    'operator/refusals.ts',
    'operator/message-payload/',
    'operator/media-types.ts',
    'operator/identifiers.ts',
  ],
  // Posts carry files of their own.
  'modules/social/': ['core/', 'media-store/port.ts', 'social-network/port.ts', 'social-network/refusals.ts'],
  // What asks a customer to pay is a message in the operator's words.
  'modules/payments/': ['core/', 'operator/port.ts', 'operator/message-payload/', 'payment-gateway/port.ts'],
  // A document is laid out for the printer.
  'modules/invoicing/': ['core/', 'payment-gateway/port.ts', 'pdf/port.ts'],
  // What a bot leads to may be answered by an assistant.
  'modules/bots/': ['core/', 'assistant/port.ts'],
  // What shops report comes in by their port.
  'modules/integrations/': ['core/', 'shop/port.ts'],
  // A form's message is held to the same limits before it is handed to messages.
  'modules/flows/': ['core/', 'operator/port.ts', 'operator/refusals.ts', 'operator/message-payload/'],
  // Beside the sources: where the pages of the dashboard are built.
  'http/': [
    'core/',
    'database/',
    'modules/workspaces/',
    'modules/access/session-directory.ts',
    '../bin/pages.mjs',
  ],
  'catalog.ts': ['core/', 'modules/', 'http/openapi.ts', 'http/answers-source.ts', 'worker/'],
  'worker/': ['core/', 'database/', 'catalog.ts'],
  // The settings of a port are read by the port itself.
  'config.ts': ['core/', 'mail/', 'media-store/'],
  'main.ts': ['startup/'],
  'logging/': ['core/', 'config.ts'],
  // The glue: what a port needs of the modules, one file for each binding.
  'adapters/': [
    'config.ts',
    'core/',
    'database/',
    'egress/',
    'http/',
    'media-store/',
    'operator/',
    'social-network/',
    'payment-gateway/',
    'shop/',
    'modules/',
  ],
  // The composition root opens everything.
  'startup/': [
    'adapters/',
    'assistant/',
    'catalog.ts',
    'config.ts',
    'core/',
    'database/',
    'egress/',
    'http/',
    'logging/',
    'mail/',
    'media-store/',
    'modules/',
    'operator/',
    'pdf/',
    'social-network/',
    'payment-gateway/',
    'shop/',
    'worker/',
  ],
  // The command line works on the installation itself, without the server.
  'cli/': [
    'adapters/social-profile.ts',
    // The doctor opens what the server would.
    'adapters/payment-gateway.ts',
    // What it simulates is what the server would.
    'adapters/simulated-payments.ts',
    'catalog.ts',
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
  // Owners are notified by mail of endpoints that were switched off.
  'modules/webhooks/': ['core/', 'dispatch/', 'mail/port.ts'],
  // The sandbox plays the operator's customers and stores what its simulator holds.
  'modules/sandbox/': [
    'core/',
    'operator/port.ts',
    'operator/simulator/',
    'payment-gateway/simulator/',
    'shop/simulator/',
    'social-network/simulator/',
  ],
}
/** What a module shows to later ones. */
const SHOWN = /^modules\/[^/]+\/([a-z-]+\/)?(operations(\/.+)?|([a-z]+-)?schema|([a-z]+-)?events)\.ts$/
/** What authentication remembers of a workspace is shown too: it is the platform's, not a feature's. */
const SHOWN_BESIDES = ['modules/workspaces/directory.ts', 'modules/workspaces/remembered.ts']
/** What a module shows to the catalog. */
const LISTED =
  /^modules\/[^/]+\/([a-z-]+\/)?(endpoints|([a-z]+-)?events|([a-z]+-)?jobs|work|subscriptions)(\/.+)?\.ts$/

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
const sources = files.filter((path) => !path.endsWith('.test.ts'))
const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')

const IMPORT =
  /^(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

/** Paths under src that a file imports, types included. */
function importsOf(path: string): string[] {
  const specifiers = [...textOf(path).matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(SRC, join(SRC, dirname(path), specifier)).replaceAll('\\', '/'))
}

const moduleOf = (path: string): string | undefined => /^modules\/([^/]+)\//.exec(path)?.[1]

function folderOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((folder) => path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0]
}

function mayImport(from: string, to: string): boolean {
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)]
  if (fromModule && fromModule === toModule) return true
  if (fromModule && toModule)
    return (
      toModule !== 'webhooks' &&
      MODULES.indexOf(toModule) < MODULES.indexOf(fromModule) &&
      (SHOWN.test(to) || SHOWN_BESIDES.includes(to))
    )
  if (from === 'catalog.ts' && toModule) return LISTED.test(to)
  const folder = folderOf(from)
  if (!folder) return false
  const own = folder.startsWith('modules/') ? `modules/${fromModule}/` : folder
  return to.startsWith(own) || (MAY_IMPORT[folder] ?? []).some((prefix) => to.startsWith(prefix))
}

describe('who may import whom', () => {
  test('no file imports what its folder may not', () => {
    const violations = sources.flatMap((from) =>
      importsOf(from)
        .filter((to) => !mayImport(from, to))
        .map((to) => `${from} imports ${to}`),
    )
    expect(violations).toEqual([])
  })

  test('the table sees violations', () => {
    expect(mayImport('core/errors.ts', 'http/answer.ts')).toBe(false)
    expect(mayImport('modules/contacts/operations/x.ts', 'modules/conversations/schema.ts')).toBe(false)
    expect(mayImport('modules/messages/operations/x.ts', 'modules/contacts/queries/contacts.ts')).toBe(false)
    expect(mayImport('modules/messages/operations/x.ts', 'modules/webhooks/schema.ts')).toBe(false)
    expect(mayImport('modules/messages/operations/x.ts', 'egress/egress.ts')).toBe(false)
    expect(mayImport('modules/messages/operations/x.ts', 'modules/contacts/operations/y.ts')).toBe(true)
    expect(importsOf('catalog.ts')).toContain('core/endpoint.ts')
  })

  test('ARCHITECTURE.md names every module, in the order in which they may use each other', () => {
    const page = readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8')
    expect(page).toContain(`one folder for each noun: ${MODULES.join(', ')} |`)
    expect(MODULES.toSorted()).toEqual(readdirSync(join(SRC, 'modules')).sort())
  })

  test('every folder and every file at the root has its row', () => {
    const without = sources.filter((path) => !folderOf(path))
    expect(without).toEqual([])
    expect(files.filter((path) => !path.includes('/')).sort()).toEqual(['catalog.ts', 'config.ts', 'main.ts'])
  })

  test('the only cycle is that of a module with itself', () => {
    expect(mayImport('startup/start.ts', 'cli/main.ts')).toBe(false)
    expect(mayImport('adapters/form-capture.ts', 'startup/start.ts')).toBe(false)
    expect(mayImport('logging/log.ts', 'modules/webhooks/schema.ts')).toBe(false)
  })

  test('every module has its place in the order', () => {
    const there = [...new Set(files.map(moduleOf).filter((name) => name !== undefined))]
    expect(there.filter((name) => !MODULES.includes(name))).toEqual([])
  })
})

describe('files', () => {
  test('are kebab-case', () => {
    const odd = files.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|-child)?\.ts$/.test(basename(path)))
    expect(odd).toEqual([])
  })

  test('have names that say something', () => {
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
    // When a migration was applied decides nothing; the doctor compares the two clocks.
    const excused = ['core/clock.ts', 'database/migrate.ts', 'cli/doctor-database.ts']
    expect(deciding.filter((path) => !excused.includes(path))).toEqual([])
  })
})
