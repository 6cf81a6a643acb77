import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const passing = "import { test } from 'vitest'\ntest('passes', () => {})\n"
const failing =
  "import { expect, test } from 'vitest'\ntest('fails', () => expect(1).toBe(2))\ntest('passes', () => {})\n"
/** Passes if a file exists, which the first run of the test creates. */
const flaky = `import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
test('fails once', () => {
  const isSecond = existsSync('ran')
  writeFileSync('ran', '')
  expect(isSecond).toBe(true)
})
`

/** A project of its own with these test files, which the test command of this one runs. */
async function run(files: Record<string, string>, args: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-command-'))
  folders.push(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'vitest.config.js'), "export default { test: { include: ['*.check.js'] } }")
  await mkdir(join(folder, 'results'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const program = `import { test } from ${JSON.stringify(join(root, 'bin/test.mjs'))}
    process.exitCode = (await test(process.cwd(), process.execPath, process.argv.slice(1))).code`
  // The variables of the vitest around this test would change the one that it starts.
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: join(folder, 'results'),
    NO_COLOR: '1',
  }
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--input-type=module', '-e', program, ...args],
      { cwd: folder, env },
      (error, out) => resolve({ code: error ? Number(error.code) : 0, stdout: out }),
    )
  })
  const lines = stdout.trim().split('\n')
  return { code, last: lines.at(-1), lines, stdout }
}

describe('the test command', () => {
  test('a test that passes when its file runs again counts as passed, and is named', async () => {
    const { code, last, lines } = await run({ 'flaky.check.js': flaky, 'good.check.js': passing })
    expect({ code, last }).toEqual({ code: 0, last: '2 passed, 0 failed' })
    expect(lines).toContain('FLAKY: flaky.check.js: fails once')
    expect(lines.filter((line) => / s \w+\.check\.js$/.test(line))).toHaveLength(2)
  })

  test('a test that fails twice counts as failed, and is named just before the counts', async () => {
    const { code, last, lines } = await run({ 'bad.check.js': failing, 'good.check.js': passing })
    expect({ code, last }).toEqual({ code: 1, last: '2 passed, 1 failed' })
    expect(lines.at(-2)).toBe('FAILED: bad.check.js: fails')
    expect(lines.filter((line) => line.startsWith('FLAKY'))).toEqual([])
  })

  test('files named by hand run once', async () => {
    const { code, last, lines } = await run({ 'flaky.check.js': flaky }, ['flaky.check.js'])
    expect({ code, last }).toEqual({ code: 1, last: '0 passed, 1 failed' })
    expect(lines).toContain('FAILED: flaky.check.js: fails once')
  })

  test('a file that cannot be loaded counts as a failure', async () => {
    const { code, last } = await run({
      'broken.check.js': 'import "./absent.js"\n',
      'good.check.js': passing,
    })
    expect({ code, last }).toEqual({ code: 1, last: '1 passed, 1 failed' })
  })

  test('more failed files than a hiccup explains run once', async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`bad-${i}.check.js`, failing]))
    const { code, last, stdout } = await run(files)
    expect({ code, last }).toEqual({ code: 1, last: '11 passed, 11 failed' })
    expect(stdout).not.toContain('RUNNING ITS FILE AGAIN')
  })

  test('a run without tests fails', async () => {
    const { code, last } = await run({})
    expect({ code, last }).toEqual({ code: 1, last: '0 passed, 1 failed' })
  })
})
