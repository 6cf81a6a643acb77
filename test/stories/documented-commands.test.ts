/** The commands of the documentation: all with `curl` run as they are written, and name existing endpoints. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { lastMatch, openDocumentedShell } from '../support/documented-shell.ts'
import { jpegOf, makeFileHost } from '../support/post-files.ts'
import { freePort } from '../support/redis-server.ts'
import {
  SHOPIFY_TOKEN,
  type StandInShops,
  startShops,
  WOO_KEY,
  WOO_SECRET,
} from '../support/stand-in-shops.ts'
import { SECTIONS, type Section } from './documented-sections.ts'

const ROOT = join(import.meta.dirname, '../..')
const SITE = 'http://localhost:4000'
const DAY_MS = 86_400_000
const hasCurl = process.env.PATH!.split(':').some((folder) => existsSync(join(folder, 'curl')))

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`),
].filter((path) => path.endsWith('.md'))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The text under a heading, to the next heading of its level. */
function sectionOf(path: string, heading: string): string {
  const lines = read(path).split('\n')
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  expect(start, `${path} has no heading "${heading}"`).toBeGreaterThan(-1)
  const level = /^#+/.exec(lines[start]!)![0].length
  const length = lines.slice(start + 1).findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? 9) <= level)
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n')
}

/** The commands of a text, each with its continued lines and the variables that it is given. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/^ *((?:[a-z]+=.*\n *)*(?:curl|npm run parley --|parley|printf) (?:.*\\\n)*.*)$/gm)].map(
    ([, command]) => command!,
  )

/** Matches a text that is not a part of a longer word. */
const wholeWord = (text: string): RegExp =>
  new RegExp(`(?<!\\w)${text.replace(/[.$?*+()[\]{}|\\^]/g, '\\$&')}(?!\\w)`, 'g')

describe.skipIf(!hasCurl)('commands of the documentation', () => {
  let parley: TestParley
  let shops: StandInShops
  let files: Awaited<ReturnType<typeof makeFileHost>>
  let simulatorPort: number
  let photo: string
  beforeAll(async () => {
    shops = await startShops()
    files = await makeFileHost()
    photo = files.serve(jpegOf())
    simulatorPort = await freePort()
    const authorities = `${shops.env.PARLEY_EGRESS_CA}.both`
    await writeFile(
      authorities,
      [shops, files].map(({ env }) => readFileSync(env.PARLEY_EGRESS_CA, 'utf8')).join('\n'),
    )
    parley = await boot({
      env: {
        ...shops.env,
        PARLEY_EGRESS_CA: authorities,
        PARLEY_OPERATOR_URL: `http://127.0.0.1:${simulatorPort}`,
        PARLEY_RAZORPAY_URL: `http://127.0.0.1:${simulatorPort}/gateway/v1`,
        PARLEY_SOCIAL_URL: `http://127.0.0.1:${simulatorPort + 1}`,
      },
    })
  })
  afterAll(async () => {
    await parley.close()
    await shops.stop()
    await files.close()
  })

  const createWorkspace = async ({ workspace }: Section): Promise<TestWorkspace | undefined> => {
    if (workspace === undefined) return undefined
    const shop = await parley.workspace({ sandbox: workspace === 'sandbox' })
    if (workspace === 'social') await shop.set({ socialAddon: true })
    return shop
  }

  /** Puts the addresses, ids, and keys of this run into a command. */
  function fillIn(
    section: Section,
    shop: TestWorkspace | undefined,
    command: string,
    output: string,
  ): string {
    const values: [name: string, value: string | undefined][] = [
      ['127.0.0.1:4300', `127.0.0.1:${simulatorPort}`],
      ['127.0.0.1:4301', `127.0.0.1:${simulatorPort + 1}`],
      ['--port 4300', `--port ${simulatorPort}`],
      ['https://parley.example.com', parley.url],
      ['https://YOUR-SHOP/photo.jpg', photo],
      ['https://shop.example.com', shops.url],
      ['shpat_…', SHOPIFY_TOKEN],
      ['shpss_…', 'shpss_0123456789abcdef'],
      ['ck_…', WOO_KEY],
      ['cs_…', WOO_SECRET],
      ['TIME', new Date(Date.now() + DAY_MS).toISOString()],
      ...Object.entries(section.placeholders ?? {}).map(([name, pattern]): [string, string | undefined] => [
        name,
        lastMatch(output, pattern),
      ]),
      // Replies name this address too.
      [SITE, parley.url],
      ['KEY', shop?.key],
      ['ID', shop?.workspaceId],
    ]
    return values.reduce(
      (text, [name, value]) => (value === undefined ? text : text.replaceAll(wholeWord(name), () => value)),
      command,
    )
  }

  test.each([...new Set(SECTIONS.map(({ page }) => page))])('%s', { timeout: 60_000 }, async (page) => {
    let section: Section
    let shop: TestWorkspace | undefined
    const shell = await openDocumentedShell({
      env: () => ({
        DATABASE_URL: parley.databaseUrl,
        PARLEY_SECRET_KEY: SECRET_KEY,
        PARLEY_SITE_URL: parley.url,
        PARLEY_SOCIAL_URL: `http://127.0.0.1:${simulatorPort + 1}`,
        ...(shop ? { PARLEY_KEY: shop.key } : {}),
      }),
      fillIn: (command, output) => fillIn(section, shop, command, output),
    })
    try {
      await shell.write('photo.jpg', jpegOf())
      for (section of SECTIONS.filter((value) => value.page === page)) {
        shop = await createWorkspace(section)
        const commands = commandsOf(sectionOf(page, section.heading))
        expect([section.heading, commands]).toEqual([
          section.heading,
          expect.objectContaining({ length: section.commands }),
        ])
        for (const command of section.earlier ?? []) await shell.run(command)
        for (const [index, command] of commands.entries()) {
          await section.printed?.[index]?.(shell)
          const wait = section.waits?.[index]
          if (wait) await shell.runUntil(...wait)
          if (/parley (?:-- )?simulator/.test(command))
            await shell.start(command, `http://127.0.0.1:${simulatorPort + 1}`)
          else await shell.run(command)
          // Time passes while a reader continues with the next step.
          if (section.workspace === 'sandbox') await shop!.advance(5)
        }
      }
    } finally {
      await shell.close()
    }
  })
})

test('every curl command of the documentation is in a section that runs', () => {
  const run = SECTIONS.flatMap(({ page, heading }) =>
    commandsOf(sectionOf(page, heading)).map((command) => `${page}: ${command}`),
  )
  const found = pages.flatMap((page) => commandsOf(read(page)).map((command) => `${page}: ${command}`))
  expect(found.filter((command) => command.includes('curl ') && !run.includes(command))).toEqual([])
})

const routes = ENDPOINTS.map((value) => ({
  method: value.method,
  pattern: new RegExp(`^/api/v1${documentedPath(value.path).replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Splits a command into words; quotes hold a word together. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  )

describe('requests of the documentation to the API', () => {
  const requests = pages.flatMap((path) =>
    commandsOf(read(path))
      .filter((command) => command.includes(`${SITE}/api/v1`))
      .map((command) => [path, command] as const),
  )

  test('are found', () => expect(requests.length).toBeGreaterThan(25))

  test.each(requests)('%s: %s', (_, command) => {
    const words = wordsOf(command)
    const url = new URL(words.find((word) => word.startsWith(SITE))!)
    const method = words[words.indexOf('-X') + 1]
    const sent = words.includes('-X') ? method : 'GET'
    expect(routes.some((route) => route.method === sent && route.pattern.test(url.pathname))).toBe(true)
  })
})
