/** The npm package of the server: its files, and a start from an empty folder on each Node that may launch it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODE_PACKAGES } from '../../bin/find-node.mjs'
import { findNpm, runNpm } from '../support/npm.ts'
import { freePort } from '../support/redis-server.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const STAGED = join(ROOT, 'dist/package')
// On the disk, not in memory: the packages take some hundred megabytes. Outside of the clone, whose packages must not be found.
const folder = mkdtempSync('/var/tmp/parley-package-')
const release = join(folder, 'release')
const installed = join(folder, 'installed')
const packageFolder = join(installed, 'node_modules/parley')
/** Versions of Node that may launch the package, besides the one that it brings. */
const LAUNCHERS = ['20', '22', '24']
const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|E404/
const INSTALL = [
  'install',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retries=0',
]

let server: ChildProcess | undefined
let whyNot: string | undefined

const build = async (to: string): Promise<void> => {
  const script = `const { writeRelease } = await import('${ROOT}/bin/release.mjs')
    await writeRelease('${ROOT}', '${version}', '${to}')`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT })
}

/** Installs packages into a folder of their own; false if no registry is in reach and npm's cache lacks them. */
async function install(to: string, ...words: string[]): Promise<boolean> {
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'package.json'), '{"private": true}')
  const { code, output } = await runNpm([...INSTALL, ...words], to)
  if (code !== 0 && OUT_OF_REACH.test(output)) return false
  expect(code, output).toBe(0)
  return true
}

beforeAll(async () => {
  if (!findNpm()) {
    whyNot = 'npm is not installed'
    return
  }
  await build(release)
  const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const nodes = LAUNCHERS.map((major) => `node${major}@npm:${nodePackage}@${major}`)
  const isInstalled =
    (await install(installed, join(release, `parley-${version}.tgz`))) &&
    (await install(join(folder, 'nodes'), '--no-bin-links', ...nodes))
  if (!isInstalled) whyNot = "the packages are neither in npm's cache nor within reach"
})
afterAll(async () => {
  if (server?.exitCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

const launcher = (major: string) => join(folder, 'nodes/node_modules', `node${major}`, 'bin/node')

/** Runs the command as a user does whose only Node is `node`. */
const parley = (node: string, ...words: string[]) =>
  promisify(execFile)(join(packageFolder, 'bin/parley'), words, {
    cwd: installed,
    env: { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: folder, TMPDIR: tmpdir() },
  })

const filesOf = (path: string) => readdirSync(path, { recursive: true, encoding: 'utf8' })

test('the package has compiled code with source maps, pages in every encoding, and no source or development package', ({
  skip,
}) => {
  if (!findNpm()) skip('npm is not installed')
  const files = filesOf(STAGED)
  expect(files.filter((path) => /\.tsx?$/.test(path))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt']))
  for (const name of ['cli.mjs', 'main.mjs', 'pdf-worker.mjs']) {
    expect(files).toContain(`dist/server/${name}`)
    expect(files).toContain(`dist/server/${name}.map`)
  }
  const pages = files.filter((path) => /^dist\/dashboard\/[0-9a-f]{16}\/index\.html/.test(path))
  expect(pages.map((path) => path.slice(path.lastIndexOf('index')))).toEqual(
    expect.arrayContaining(['index.html', 'index.html.br', 'index.html.gz']),
  )
  const sql = (path: string) => filesOf(path).filter((name) => name.endsWith('.sql'))
  expect(sql(join(STAGED, 'migrations'))).toEqual(sql(join(ROOT, 'migrations')))
  const { dependencies, devDependencies, scripts } = JSON.parse(
    readFileSync(join(STAGED, 'package.json'), 'utf8'),
  )
  expect([devDependencies, scripts]).toEqual([undefined, undefined])
  for (const range of Object.values(dependencies)) expect(range).toMatch(/^\d/)
  // The notices name every package whose code is in the bundle.
  const notices = readFileSync(join(STAGED, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of ['pg', 'kysely', 'zod', 'react', 'swagger-ui-dist'])
    expect(notices).toMatch(new RegExp(`^${name} `, 'm'))
})

test('the same tree gives the same bytes', async ({ skip }) => {
  if (!findNpm()) skip('npm is not installed')
  const again = join(folder, 'again')
  await build(again)
  const sums = (path: string) => readFileSync(join(path, 'SHA256SUMS'), 'utf8')
  expect(sums(again)).toBe(sums(release))
  for (const name of ['parley', 'parley-sdk', 'n8n-nodes-parley', 'parley-chart'])
    expect(sums(release)).toContain(`${name}-${version}.tgz`)
  const bill = readFileSync(join(release, 'parley.cdx.json'), 'utf8')
  expect(JSON.parse(bill).components.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['pg', 'react', 'fastify']),
  )
  expect(bill).not.toContain('.tgz')
})

test.for(LAUNCHERS)('Node %s launches the packaged Node', async (major, { skip }) => {
  if (whyNot !== undefined) skip(whyNot)
  const { stdout } = await parley(launcher(major), '--version')
  expect(stdout).toMatch(new RegExp(`^parley ${version.replaceAll('.', '\\.')} \\(Node 26\\.`))
  // Without the shell script, as on Windows.
  const direct = execFileSync(launcher(major), [join(packageFolder, 'bin/parley.mjs'), '--version'])
  expect(direct.toString()).toBe(stdout)
})

test('one command in an empty folder brings up the server; Ctrl-C stops everything', async ({ skip }) => {
  if (whyNot !== undefined) skip(whyNot)
  const port = await freePort()
  const env = {
    PATH: `${dirname(launcher('20'))}:/usr/bin:/bin`,
    HOME: folder,
    TMPDIR: tmpdir(),
    PORT: String(port),
  }
  server = spawn(launcher('20'), [join(packageFolder, 'bin/parley.mjs'), 'start'], { cwd: installed, env })
  let output = ''
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (piece) => {
      output += piece
    })
  const url = `http://localhost:${port}`
  await until(() => output.includes('/api/v1/messages'), `the welcome: ${output}`, 60_000)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ready: true, missing: [] })

  const lines = output.split('\n').filter((line) => line.startsWith('curl '))
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const [, method, address] = /^curl -s -X (\w+) (\S+) /.exec(line)!
    const headers = Object.fromEntries(
      [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
    )
    const body = / -d '(.+)'$/.exec(line)?.[1]
    const answer = await fetch(address!, { method: method!, headers, ...(body ? { body } : {}) })
    expect(answer.ok, await answer.text()).toBe(true)
  }

  const page = await fetch(`${url}/`, { headers: { 'accept-encoding': 'br' } })
  expect(page.headers.get('content-encoding')).toBe('br')
  const script = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(await page.text())![1]
  expect((await fetch(`${url}/${script}`)).status).toBe(200)
  const docs = await (await fetch(`${url}/docs`)).text()
  for (const [, asset] of docs.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g))
    expect((await fetch(url + asset)).status, asset).toBe(200)
  expect((await fetch(`${url}/api/v1/openapi.json`)).status).toBe(200)

  const list = await parley(launcher('22'), 'workspace', 'list', '--json')
  const [workspace] = JSON.parse(list.stdout).workspaces
  const { stdout } = await parley(launcher('24'), 'key', 'list', '--workspace', workspace.id, '--json')
  expect(JSON.parse(stdout).keys).toHaveLength(1)
  const doctor = await parley(launcher('20'), 'doctor', '--json')
  expect(
    JSON.parse(doctor.stdout).checks.filter(({ status }: { status: string }) => status !== 'ok'),
  ).toEqual([])

  const ended = once(server, 'exit')
  server.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(existsSync(join(installed, '.parley/postgres/PG_VERSION'))).toBe(true)
  expect(existsSync(join(installed, '.parley/postgres/postmaster.pid'))).toBe(false)
})

test('the package lays out PDF files in its thread', async ({ skip }) => {
  if (whyNot !== undefined) skip(whyNot)
  const worker = new Worker(join(packageFolder, 'dist/server/pdf-worker.mjs'))
  try {
    const document = { title: 'T', author: 'A', footer: 'F', content: [{ text: 'नमस्ते' }] }
    worker.postMessage({ document, isPlain: false })
    const [message] = await once(worker, 'message')
    expect(message.error).toBeUndefined()
    expect(Buffer.from(message.bytes).subarray(0, 5).toString()).toBe('%PDF-')
  } finally {
    await worker.terminate()
  }
})
