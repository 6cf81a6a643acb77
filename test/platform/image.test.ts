/**
 * examples/Dockerfile: the files that its stages copy are enough to build the pages and to start the service.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allocatorSettings, heapFlags } from '../../bin/heap-flags.mjs'
import { isBuilt, pagesFolder, readPagesState, siteFolder } from '../../bin/pages.mjs'
import { findNpm, npmLines, runNpm } from '../support/npm.ts'

const ROOT = join(import.meta.dirname, '../..')
// On the disk, not in memory: the packages of a stage take some hundred megabytes.
const built = join(ROOT, 'dist')
mkdirSync(built, { recursive: true })
const folder = mkdtempSync(join(built, 'image-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the lines of each stage, by its name; the last stage has no name. */
const stages = new Map(
  readFileSync(join(ROOT, 'examples/Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .slice(1)
    .map((text) => [/^\S+ AS (\S+)/.exec(text)?.[1] ?? 'service', text.split('\n')] as const),
)

/** The project's files that docker sees: all except these (examples/Dockerfile.dockerignore). */
const included = readFileSync(join(ROOT, 'examples/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))

/** Creates a folder with the files that the stage copies. */
function copyStage(stage: string): string {
  const root = join(folder, stage)
  // A retry of the test starts with a new folder.
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
  for (const line of stages.get(stage)!) {
    const [, from, list] = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line) ?? []
    const paths = list?.split(' ') ?? []
    const to = paths.pop()!
    for (const path of paths) {
      if (!from) expect(included).toContain(path.split('/')[0])
      const source = from ? join(folder, from, path.replace('/app/', '')) : join(ROOT, path)
      const target = join(root, to.endsWith('/') ? join(to, path.split('/').at(-1)!) : to)
      cpSync(source, target, { recursive: true })
    }
  }
  return root
}

const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/

/**
 * Runs the stage's own `npm ci`, from npm's cache if it has the packages. Returns false if no registry is
 * reachable.
 */
async function installStage(stage: string, root: string): Promise<boolean> {
  const [words] = npmLines(stages.get(stage)!)
  const { code, output } = await runNpm([...words!, '--prefer-offline', '--fetch-retries=0'], root)
  if (code !== 0 && OUT_OF_REACH.test(output)) return false
  expect(code, output).toBe(0)
  return true
}

test.skipIf(!findNpm())(
  'the image builds its pages, and its service finds them and all of its own code',
  async ({ skip }) => {
    const pages = copyStage('pages')
    if (!(await installStage('pages', pages)))
      skip("the packages are neither in npm's cache nor within reach")
    execFileSync(process.execPath, ['bin/build-pages.mjs'], { cwd: pages, stdio: 'pipe' })
    rmSync(join(pages, 'node_modules'), { recursive: true })
    const service = copyStage('service')
    if (!(await installStage('service', service)))
      skip("the packages are neither in npm's cache nor within reach")
    for (const folder of [pagesFolder(service), siteFolder(service)]) {
      const state = readPagesState(folder)
      expect(state).toMatchObject({ state: 'built' })
      expect(isBuilt(folder, state!.hash)).toBe(true)
    }
    const load =
      "await import('./src/startup/start.ts'); await import('./src/cli/doctor-command.ts'); console.log('loaded')"
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', load], { cwd: service })
    expect(output.toString()).toContain('loaded')
  },
)

test('the image starts its service with the memory limits of `npm start`', () => {
  const commandLine = stages.get('service')!.findLast((line) => line.startsWith('CMD '))!
  const [shell, ...args] = JSON.parse(commandLine.slice('CMD '.length)) as string[]
  const report = "-p 'JSON.stringify([process.execArgv, process.env])'"
  const output = execFileSync(
    shell!,
    args.map((text) => text.replace('src/main.ts', report)),
    {
      cwd: ROOT,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    },
  )
  const [flags, settings] = JSON.parse(output.toString())
  expect(flags).toEqual(expect.arrayContaining(heapFlags))
  expect(settings).toMatchObject(allocatorSettings)
})
