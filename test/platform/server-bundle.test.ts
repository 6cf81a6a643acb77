/** The bundle from which the server of a clone starts: it never runs older sources, and needs no bundler. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findServerBundle } from '../../bin/bundle-cache.mjs'
import { createTestDatabase } from '../support/database.ts'
import { newInstallation } from '../support/server-process.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A clone with sources of its own, so that a test may edit them. */
const clone = mkdtempSync(join(tmpdir(), 'parley-server-bundle-'))
const modules = join(clone, 'node_modules')
const edited = join(clone, 'src/startup/welcome.ts')

beforeAll(() => {
  for (const path of ['bin', 'src', 'migrations', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name === '.package-lock.json') cpSync(join(ROOT, 'node_modules', name), join(modules, name))
    else if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
})
afterAll(() => rmSync(clone, { recursive: true }))

const bundle = () => promisify(execFile)(process.execPath, [join(clone, 'bin/bundle.mjs'), 'server'])

/** Starts the clone's server and returns its welcome, its description of the API, and the sources that it loaded. */
async function start() {
  const database = await createTestDatabase()
  const installation = await newInstallation({
    DATABASE_URL: database.url,
    PARLEY_SITE_URL: 'http://parley.test',
  })
  const list = join(clone, 'loaded.txt')
  const hook = join(clone, 'hook.mjs')
  writeFileSync(list, '')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })`,
  )
  try {
    const server = await installation.start(join(clone, 'bin/serve.mjs'), {
      NODE_OPTIONS: `--import ${hook}`,
    })
    const description = await (await fetch(`${server.url}/api/v1/openapi.json`)).text()
    await server.end('SIGTERM')
    const loaded = readFileSync(list, 'utf8').split('\n')
    return {
      output: server.output(),
      description: JSON.parse(description),
      sources: loaded.filter((url) => url.startsWith(`file://${join(clone, 'src')}/`)),
    }
  } finally {
    await installation.remove()
    await database.drop()
  }
}

const greet = (greeting: string) =>
  writeFileSync(
    edited,
    readFileSync(join(ROOT, 'src/startup/welcome.ts'), 'utf8').replace('Parley is running', greeting),
  )

const UNDICI = /^import (?:type )?\{([^}]*)\} from 'undici'/gm
/** All other parts of undici are missing from the bundle, or may be (bin/undici-left-out.cjs). */
const IN_BUNDLE = ['Agent', 'Client', 'Dispatcher', 'buildConnector', 'errors', 'request']

test('the sources use only the parts of undici that are in the bundle', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const names = paths
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(ROOT, 'src', path), 'utf8').matchAll(UNDICI)])
    .flatMap(([, list]) => list!.split(',').map((name) => name.replace('type ', '').trim()))
  expect([...new Set(names)].sort()).toEqual(IN_BUNDLE)
})

test('the server starts from its bundle, and from its sources after a change', async () => {
  greet("The first edit is running' + new Error('a place').stack + '")
  expect(findServerBundle(clone)).toBeUndefined()
  await bundle()
  const first = findServerBundle(clone)
  expect(basename(first!)).toBe('main.mjs')
  for (const name of readdirSync(dirname(first!)).filter((name) => name.endsWith('.mjs')))
    expect(readFileSync(join(dirname(first!), name), 'latin1'), name).not.toMatch(/[^\0-\x7F]/)
  await bundle()
  expect(findServerBundle(clone), 'an up-to-date bundle is not built again').toBe(first)
  const bundled = await start()
  expect(bundled.sources).toEqual([])
  expect(bundled.output).toContain('The first edit is running')
  expect(bundled.output, 'stacks name places of the sources').toMatch(
    /a place\n[^\n]*src\/startup\/welcome\.ts:\d/,
  )

  greet('The second edit is running')
  expect(findServerBundle(clone)).toBeUndefined()
  const changed = await start()
  expect(changed.sources).toContain(`file://${edited}`)
  expect(changed.output).toContain('The second edit is running')
  expect(bundled.description, 'the bundle builds its schemas later, but not differently').toEqual(
    changed.description,
  )
})
