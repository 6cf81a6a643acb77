/** The bundle from which `parley` starts: what it loads, and that it never runs older sources. */
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
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_FILES } from '../../src/cli/commands.ts'
import { withCellSetting } from '../support/cell.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase } from '../support/database.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A clone with sources of its own, so that a test may edit them. */
const clone = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
const modules = join(clone, 'node_modules')

beforeAll(() => {
  for (const path of ['bin', 'src', 'migrations', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name === '.package-lock.json') cpSync(join(ROOT, 'node_modules', name), join(modules, name))
    else if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
})
afterAll(() => rmSync(clone, { recursive: true }))

const parley = async (words: string[], env: Record<string, string> = {}): Promise<string> =>
  (
    await promisify(execFile)(join(clone, 'bin/parley'), words, {
      env: withCellSetting({ ...process.env, ...env }),
    })
  ).stdout

/** Returns the files that a command loads. */
async function loadedFiles(words: string[], env: Record<string, string> = {}): Promise<string[]> {
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
  await parley(words, { ...env, NODE_OPTIONS: `--import ${hook}` })
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => url.slice('file://'.length))
}

const chunkNames = (files: string[]) =>
  files.map((path) => basename(path).replace(/(-[0-9a-f]{8})?\.mjs$/, ''))

test('the table names each file of commands and its commands', async () => {
  for (const { file, names, load } of COMMAND_FILES) {
    expect(
      (await load()).map(({ name }) => name),
      file,
    ).toEqual(names)
    expect(load.toString()).toContain(`/${file}.ts`)
  }
  const files = readdirSync(join(ROOT, 'src/cli')).filter((name) => /-commands?\.ts$/.test(name))
  expect(COMMAND_FILES.map(({ file }) => `${file}.ts`).sort()).toEqual(files.sort())
})

test('--help prints the usage of the sources, and loads neither a command nor a package', async () => {
  const [help, usage] = [await parley(['--help']), await runParley(['--help'], {})]
  expect(help).toBe(usage.stdout)
  const files = await loadedFiles(['--help'])
  expect(chunkNames(files).sort()).toEqual(
    [
      'bundle-cache',
      'cli',
      'clock',
      'command',
      'installation-root',
      'own-version',
      'parley',
      'usages',
    ].sort(),
  )
})

test('key list loads its own command only, and no package besides the bundle', async () => {
  const database = await createTestDatabase()
  try {
    const env = { DATABASE_URL: database.url, PARLEY_DATA_DIR: join(clone, 'data') }
    const created = JSON.parse(await parley(['workspace', 'create', '--name', 'Acme', '--json'], env))
    const files = await loadedFiles(['key', 'list', '--workspace', created.workspaceId], env)
    const names = chunkNames(files)
    expect(names).toContain('key-commands')
    expect(names.filter((name) => /-commands?$/.test(name))).toEqual(['key-commands'])
    expect(names.filter((name) => /^(catalog|start|schemas|phone|api-keys)$/.test(name))).toEqual([])
    expect(
      files.filter((path) => !path.startsWith(join(clone, 'bin')) && !path.includes('.cache/parley')),
    ).toEqual([])
  } finally {
    await database.drop()
  }
})

const SUMMARY = 'List all workspaces, and the new address of those that moved away.'
const edited = join(clone, 'src/cli/workspace-commands.ts')
const edit = (summary: string): void => {
  const source = readFileSync(join(ROOT, 'src/cli/workspace-commands.ts'), 'utf8')
  writeFileSync(edited, source.replace(SUMMARY, summary))
}

test('an edited source takes effect at the next call, also in calls at the same time', async () => {
  for (const summary of ['First words.', 'Other words']) {
    edit(summary)
    const outputs = await Promise.all([parley(['workspace', 'list', '--help']), parley(['--help'])])
    for (const output of outputs) expect(output).toContain(summary)
    expect(await parley(['workspace', '--help'])).toContain('workspace list')
  }
  const builds = readdirSync(join(modules, '.cache/parley')).filter((name) => !name.startsWith('bundle.json'))
  expect(builds.length).toBeLessThanOrEqual(4)
})

test('without the bundler, and with a bundle of an unknown form, the sources run themselves', async () => {
  rmSync(join(modules, 'rolldown'))
  writeFileSync(join(modules, '.cache/parley/bundle.json'), '{"build": 1}')
  edit('Words without a bundle.')
  const listed = await parley(['workspace', 'list', '--help'])
  expect(listed).toContain('Words without a bundle.')
})
