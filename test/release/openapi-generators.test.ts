/**
 * docs/reference/openapi.json: generators of TypeScript clients write code that compiles under `strict`
 * (docs/decisions/openapi-generators.md). The test installs the generators in a folder of its own.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { findNpm, runNpm } from '../support/npm.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENT = join(ROOT, 'docs/reference/openapi.json')
// On the disk, not in memory: the packages take some hundred megabytes.
const built = join(ROOT, 'dist')
mkdirSync(built, { recursive: true })
const folder = mkdtempSync(join(built, 'generators-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/

/** Packages by the names under which they are installed. */
const PACKAGES = {
  orval7: 'npm:orval@^7.21.0',
  orval8: 'npm:orval@^8.38.0',
  '@hey-api/openapi-ts': '^0.99.0',
  'openapi-typescript': '^7.13.0',
  // The generators need TypeScript 5; the project's own compiles their code.
  typescript: '^5.9.3',
}

const orval = (name: string): string[] => {
  const output = { target: `./out/${name}/client.ts`, schemas: `./out/${name}/model`, client: 'fetch' }
  const config = { parley: { input: DOCUMENT, output } }
  writeFileSync(join(folder, `${name}.config.mjs`), `export default ${JSON.stringify(config)}`)
  return ['--config', `${name}.config.mjs`]
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['out'],
}

const run = promisify(execFile)
const runNode = (args: string[]) => run(process.execPath, args, { cwd: folder, timeout: 120_000 })

/** Returns the path of the program of a package, by its own package.json. */
function programOf(name: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return join(folder, 'node_modules', name, typeof bin === 'string' ? bin : String(Object.values(bin)[0]))
}

test.skipIf(!findNpm())(
  'orval 7, orval 8, openapi-ts, and openapi-typescript write code that compiles',
  async ({ skip }) => {
    // Before the generators run: orval writes its imports by the settings that it finds.
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }))
    const { code, output } = await runNpm(
      ['install', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0', '--no-audit', '--no-fund'],
      folder,
    )
    if (code !== 0 && OUT_OF_REACH.test(output))
      skip("the generators are neither in npm's cache nor within reach")
    expect(code, output).toBe(0)
    await runNode([programOf('orval7'), ...orval('orval7')])
    await runNode([programOf('orval8'), ...orval('orval8')])
    await runNode([programOf('@hey-api/openapi-ts'), '-i', DOCUMENT, '-o', 'out/openapi-ts', '--no-log-file'])
    mkdirSync(join(folder, 'out/openapi-typescript'), { recursive: true })
    await runNode([programOf('openapi-typescript'), DOCUMENT, '-o', 'out/openapi-typescript/api.ts'])
    const compiled = await runNode([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']).catch(
      (error: { stdout: string }) => error,
    )
    expect(compiled.stdout).toBe('')
  },
)
