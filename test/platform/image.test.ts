/**
 * deploy/image/Dockerfile: the files that its stages copy are enough to build the pages and to run the service,
 * as a user without rights, in folders that nothing can write to.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { allocatorSettings, heapFlags } from '../../bin/heap-flags.mjs'
import { isBuilt, pagesFolder, readPagesState, siteFolder } from '../../bin/pages.mjs'
import { SETTINGS } from '../../src/core/settings.ts'
import { findNpm, npmLines, runNpm } from '../support/npm.ts'
import { freePort } from '../support/redis-server.ts'
import { startCommand } from '../support/started-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCKERFILE = join(ROOT, 'deploy/image/Dockerfile')
/** The longest stop of a process (src/startup/process-events.ts). */
const LONGEST_STOP_S = 60
/** The user `node` of the image: one without rights here. */
const NODE_USER = 1000
// On the disk, not in memory: the packages of a stage take some hundred megabytes.
const built = join(ROOT, 'dist')
mkdirSync(built, { recursive: true })
const folder = mkdtempSync(join(built, 'image-test-'))
chmodSync(folder, 0o755)
const unlock = () => execFileSync('chmod', ['-R', 'u+w', folder])
afterAll(() => {
  unlock()
  rmSync(folder, { recursive: true, force: true })
})

type Stage = { from: string; lines: string[] }

/** The stages by name. */
const stages = new Map(
  readFileSync(DOCKERFILE, 'utf8')
    .split(/^FROM /m)
    .slice(1)
    .map((text): [string, Stage] => {
      const [, from, name] = /^(\S+) AS (\S+)/.exec(text)!
      return [name!, { from: from!, lines: text.split('\n') }]
    }),
)

/** Returns the lines of a stage, after those of the stages that it starts from. */
function linesOf(name: string): string[] {
  const { from, lines } = stages.get(name)!
  return stages.has(from) ? [...linesOf(from), ...lines] : lines
}

/** The project's files that docker sees: all except these (deploy/image/Dockerfile.dockerignore). */
const included = readFileSync(join(ROOT, 'deploy/image/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))

/** Creates a folder with the files that the stage copies. */
function copyStage(stage: string): string {
  const root = join(folder, stage)
  // A retry of the test starts with a new folder.
  unlock()
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
  for (const line of linesOf(stage)) {
    const [, from, list] = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line) ?? []
    const paths = list?.split(' ') ?? []
    const to = paths.pop()!
    for (const path of paths) {
      if (!from) expect(included).toContain(path.split('/')[0])
      const source = from ? join(folder, from, path.replace('/app/', '')) : join(ROOT, path)
      const target = join(root, to.endsWith('/') ? join(to, path.split('/').at(-1)!) : to)
      // Packages are many files, and no other stage needs them.
      if (from && path.endsWith('node_modules')) renameSync(source, target)
      else cpSync(source, target, { recursive: true })
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
  const [words] = npmLines(linesOf(stage))
  const { code, output } = await runNpm([...words!, '--prefer-offline', '--fetch-retries=0'], root)
  if (code !== 0 && OUT_OF_REACH.test(output)) return false
  expect(code, output).toBe(0)
  return true
}

/** Returns the arguments of the stage's steps that run Node. */
const nodeCommandsOf = (stage: string): string[][] =>
  linesOf(stage).flatMap((line) => (line.startsWith('RUN node ') ? [line.split(' ').slice(2)] : []))

/** Returns the words of the last instruction of this kind. */
const commandOf = (instruction: string): string[] => {
  const text = linesOf('external').join('\n').replaceAll('\\\n', '')
  const [, words] = [...text.matchAll(new RegExp(`^${instruction}.*?(\\[.*\\])$`, 'gm'))].at(-1)!
  return JSON.parse(words!)
}

/** Starts the image's command as its user, where only `data` can be written to. */
async function startContainer(root: string) {
  // Next to the stages: the folder of the test run belongs to another user.
  const data = mkdtempSync(join(folder, 'data-'))
  const user = process.getuid?.() === 0 ? { uid: NODE_USER, gid: NODE_USER } : {}
  if (user.uid) chownSync(data, NODE_USER, NODE_USER)
  execFileSync('chmod', ['-R', 'a-w,a+rX', root])
  const port = await freePort()
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PARLEY_DATA_DIR: data,
    NODE_COMPILE_CACHE: join(data, 'compiled'),
  }
  const options = { cwd: root, env, ...user }
  const command = startCommand(commandOf('CMD'), options)
  return {
    ...command,
    url: `http://127.0.0.1:${port}`,
    isHealthy: () => {
      const [check, ...args] = commandOf('HEALTHCHECK')
      return spawnSync(check!, args, options).status === 0
    },
  }
}

/** Three installations of packages, on a busy machine. */
const INSTALLING_MS = 600_000
const NOT_REACHED = "the packages are neither in npm's cache nor within reach"

test.skipIf(!findNpm())(
  'the image builds its pages and its bundle, and its service runs without the right to write to its folder',
  async ({ skip }) => {
    const pages = copyStage('pages')
    if (!(await installStage('pages', pages))) skip(NOT_REACHED)
    for (const words of nodeCommandsOf('pages'))
      execFileSync(process.execPath, words, { cwd: pages, stdio: 'pipe' })
    rmSync(join(pages, 'node_modules'), { recursive: true })
    for (const stage of ['packages', 'embedded-packages'])
      if (!(await installStage(stage, copyStage(stage)))) skip(NOT_REACHED)
    const external = copyStage('external')
    const load =
      "await import('./src/startup/start.ts'); await import('./src/cli/doctor-command.ts'); console.log('loaded')"
    const loading = execFileSync(process.execPath, ['--input-type=module', '-e', load], { cwd: external })
    expect(loading.toString()).toContain('loaded')
    const root = copyStage('embedded')
    for (const folder of [pagesFolder(root), siteFolder(root)]) {
      const state = readPagesState(folder)
      expect(state).toMatchObject({ state: 'built' })
      expect(isBuilt(folder, state!.hash)).toBe(true)
    }
    const container = await startContainer(root)
    try {
      await container.waitUntilReady(container.url)
      expect(container.isHealthy()).toBe(true)
      expect((await fetch(`${container.url}/sign-in`)).status).toBe(200)
      expect(await container.end('SIGTERM')).toBe(0)
      expect(container.isHealthy()).toBe(false)
    } finally {
      await container.end('SIGKILL')
    }
  },
  INSTALLING_MS,
)

/** Replaces `${NAME:-default}` and `${NAME:?message}` in texts, as docker does. */
const variables = /\$\{\w+:[-?]([^}]*)\}/g

test.each([
  ['compose.yaml', ['web', 'worker']],
  ['embedded.yaml', ['parley']],
])('%s runs the image read-only, with settings that Parley knows', (file, names) => {
  const place = join(ROOT, 'deploy/compose')
  const text = readFileSync(join(place, file), 'utf8').replace(variables, '$1')
  const { services } = parse(text, { merge: true })
  for (const name of names) {
    const service = services[name]
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      volumes: ['data:/data'],
    })
    const { context, dockerfile, target = 'external' } = service.build
    expect(join(place, context, dockerfile)).toBe(DOCKERFILE)
    expect(stages.has(target)).toBe(true)
    expect(Object.keys(service.environment).filter((setting) => !(setting in SETTINGS))).toEqual([])
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(LONGEST_STOP_S)
  }
})

test('the image has the embedded PostgreSQL only in its stage `embedded`', () => {
  const stageOf = (name: string) => npmLines(linesOf(name)).flat()
  expect(stageOf('packages')).toContain('--omit=optional')
  expect(stageOf('embedded-packages')).not.toContain('--omit=optional')
  expect(linesOf('embedded')).toContain('COPY --from=embedded-packages /app/node_modules node_modules')
  expect([...stages.keys()].at(-1)).toBe('external')
})

test('the image runs as a user without rights, and no step names a processor', () => {
  const lines = linesOf('external')
  expect(lines).toContain('USER node')
  const text = readFileSync(DOCKERFILE, 'utf8').replace(/^#.*$/gm, '')
  expect(text).not.toMatch(/amd64|arm64|x86|x64|TARGETARCH/)
  for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
    expect(text).toContain(`org.opencontainers.image.${label}=`)
})

test('the image starts its service with the memory limits of `npm start`', () => {
  const [shell, ...args] = commandOf('CMD')
  const report = "-p 'JSON.stringify([process.execArgv, process.env])'"
  const output = execFileSync(
    shell!,
    args.map((text) => text.replace('dist/server/main.mjs', report)),
    {
      cwd: ROOT,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    },
  )
  const [flags, settings] = JSON.parse(output.toString())
  expect(flags).toEqual(expect.arrayContaining(heapFlags))
  expect(settings).toMatchObject(allocatorSettings)
})
