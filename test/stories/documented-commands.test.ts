/** The commands of the documentation: those for a sandbox run as they are written, all others name existing endpoints. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { boot, SECRET_KEY, type TestParley } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'

const ROOT = join(import.meta.dirname, '../..')
const SITE = 'http://localhost:4000'
const run = promisify(execFile)
const hasCurl = process.env.PATH!.split(':').some((folder) => existsSync(join(folder, 'curl')))

/** Sections whose commands need only a sandbox. */
const RUN: [page: string, heading: string, commands: number][] = [
  ['README.md', 'One minute to a first message', 3],
  ['docs/quick-start.md', 'Send a message from a program', 4],
  ['docs/guides/payments.md', 'Try it in a sandbox', 8],
  ['docs/guides/shops.md', 'Try it in a sandbox', 6],
]

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

/** The commands of a text, each with its continued lines. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/^ *((?:curl|npm run parley --) (?:.*\\\n)*.*)$/gm)].map(([, command]) => command!)

/** Splits a command into words; quotes hold a word together. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  )

describe.skipIf(!hasCurl)('commands for a sandbox', () => {
  let parley: TestParley
  beforeAll(async () => {
    parley = await boot()
  })
  afterAll(() => parley.close())

  test.each(RUN)('%s: %s', async (path, heading, count) => {
    const shop = await parley.workspace({ sandbox: true })
    const commands = commandsOf(sectionOf(path, heading))
    expect(commands).toHaveLength(count)
    const env = { DATABASE_URL: parley.databaseUrl, PARLEY_SECRET_KEY: SECRET_KEY }
    for (const command of commands) {
      const own = command
        .replaceAll(SITE, parley.url)
        .replace(/\bKEY\b/g, shop.key)
        .replace(/\bID\b/g, shop.workspaceId)
      if (own.startsWith('npm')) {
        const { code, stderr } = await runParley(wordsOf(own).slice(4), env)
        expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
      } else {
        // Fails for every status from 400 on.
        const script = own.replace(/^curl /, 'curl --fail-with-body ')
        const result = await run('sh', ['-c', script], {
          env: { PATH: process.env.PATH, PARLEY_KEY: shop.key },
        }).catch((error: { stdout: string; code: number }) => error)
        expect([command, 'code' in result ? result.stdout : 'ok']).toEqual([command, 'ok'])
      }
      // Time passes while a reader continues with the next step.
      await shop.advance(5)
    }
  })
})

const routes = ENDPOINTS.map((value) => ({
  method: value.method,
  pattern: new RegExp(`^/api/v1${documentedPath(value.path).replace(/\{\w+\}/g, '[^/]+')}$`),
}))

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
    const body = words.includes('-d') ? words[words.indexOf('-d') + 1]! : '{}'
    if (!body.startsWith('@')) expect(() => JSON.parse(body)).not.toThrow()
  })
})
