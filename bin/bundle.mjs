// Bundles the sources for Node. `parley` starts from a bundle in a tenth of the time, because no types have to be
// stripped and only the parts of one command are loaded. `node bin/bundle.mjs` renews the bundle of a clone;
// `node bin/bundle.mjs server` renews the server's, unless it is up to date. `node bin/bundle.mjs server FOLDER` writes both to a
// folder, for an image.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { asciiCode } from './ascii-code.mjs'
import {
  cacheFolder,
  findServerBundle,
  PACKAGE_FILES,
  serverCacheFolder,
  serverStateFile,
  stampOf,
  stateFile,
} from './bundle-cache.mjs'
import { lazyFields } from './lazy-fields.mjs'

const PDF_WORKER = { 'pdf-worker': 'src/pdf/pdf-worker.ts' }
const COMMAND_LINE = { cli: 'src/cli/main.ts', usages: 'src/cli/usages.ts', ...PDF_WORKER }
const SERVER = { main: 'src/main.ts' }

/** The files that write a bundle. */
const BUNDLER_FILES = ['bin/bundle.mjs', 'bin/lazy-fields.mjs', 'bin/ascii-code.mjs']

/** Packages that are part of the bundle, with those they need, because their many files would take longer to load than a command. */
const BUNDLED_PACKAGES = packagePattern([
  ['kysely', 'zod', 'ipaddr.js', 'libphonenumber-js', 're2js'],
  ['pg', 'pg-[a-z0-9-]+', 'pgpass', 'split2', 'postgres-[a-z]+', 'xtend'],
  // Not the API of OpenTelemetry: its exporters, which are no part of the bundle, share it.
  ['prom-client', 'tdigest', 'bintrees'],
  ['undici', '@fastify/busboy', 'yauzl', 'pend'],
])
/** Optional parts of `pg`, which are not installed. */
const NEVER_BUNDLED = /^(pg-native|pg-cloudflare|pg-query-stream)$/

function packagePattern(names) {
  return new RegExp(`^(${names.flat().join('|').replaceAll('.', '\\.')})(/|$)`)
}

const isExternal = (id) =>
  !id.startsWith('.') && !isAbsolute(id) && (NEVER_BUNDLED.test(id) || !BUNDLED_PACKAGES.test(id))

const UNDICI_LEFT_OUT = join(dirname(fileURLToPath(import.meta.url)), 'undici-left-out.cjs')

/** Leaves out parts of undici. test/platform/server-bundle.test.ts checks that no source uses them. */
const smallerUndici = {
  name: 'smaller-undici',
  resolveId: (id, importer) =>
    importer?.endsWith('node_modules/undici/index.js') && /^\.\/lib\/(web|mock|interceptor|cache)\//.test(id)
      ? UNDICI_LEFT_OUT
      : null,
}

/** Writes the bundle to `folder` and returns its chunks (rolldown's `OutputChunk`). With `server`, it includes the server. */
export async function bundle(root, folder, { server = false } = {}) {
  const chunks = await writeBundle(root, folder, server ? { ...COMMAND_LINE, ...SERVER } : COMMAND_LINE)
  const { describeCommands } = await import(pathToFileURL(join(folder, 'usages.mjs')))
  writeFileSync(join(folder, 'usages.json'), JSON.stringify(await describeCommands()))
  return chunks
}

async function writeBundle(root, folder, input) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: isExternal,
    // A command builds few schemas. `parley reference` describes all of them, in the order of the sources.
    plugins: [...('main' in input ? [lazyFields(join(root, 'src'))] : []), smallerUndici],
    logLevel: 'warn',
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Without `.mjs`, Node would have to find out that files below node_modules are ES modules.
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    hashCharacters: 'hex',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  await build.close()
  const chunks = output.filter(({ type }) => type === 'chunk')
  for (const { fileName } of chunks) rewriteInAscii(join(folder, fileName))
  return chunks
}

function rewriteInAscii(path) {
  const mapPath = `${path}.map`
  const map = existsSync(mapPath) ? JSON.parse(readFileSync(mapPath, 'utf8')) : undefined
  const { code, mappings } = asciiCode(readFileSync(path, 'utf8'), map?.mappings ?? '')
  writeFileSync(path, code)
  if (map) writeFileSync(mapPath, JSON.stringify({ ...map, mappings }))
}

const TABLE = 'src/cli/commands.ts'

/** Returns the paths of our sources in chunks. */
const ownSources = (root, chunks) =>
  [...chunks]
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((path) => isAbsolute(path) && !relative(root, path).startsWith('node_modules'))
    .map((path) => relative(root, path))

/**
 * Returns the sources that each file of commands needs, by its name, and for `all` every source. Thus a command checks only its
 * own sources for changes.
 */
function sourcesByCommandFile(root, chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const isIn = (chunk, path) => chunk.moduleIds.includes(join(root, path))
  const collect = (names, found = new Set()) => {
    for (const name of names) {
      const chunk = byName.get(name)
      if (!chunk || found.has(chunk)) continue
      found.add(chunk)
      // The table loads the files of commands, of which a call needs only one.
      collect([...chunk.imports, ...(isIn(chunk, TABLE) ? [] : chunk.dynamicImports)], found)
    }
    return found
  }
  const sourcesOf = (found) => ownSources(root, found)
  const files = byName.get(chunks.find((chunk) => isIn(chunk, TABLE)).fileName).dynamicImports
  const parts = files.map((name) => [
    basename(byName.get(name).facadeModuleId, '.ts'),
    sourcesOf(collect(['cli.mjs', name])),
  ])
  return { ...Object.fromEntries(parts), all: sourcesOf(chunks) }
}

/** The number of older builds kept for commands that still run. */
const OLDER_BUILDS = 2

/** Bundles the command line of a clone. Calls at the same time each write a build, and the last one counts. */
async function renewBundle(root) {
  const { startedMs, name } = newBuild()
  const folder = join(cacheFolder(root), name)
  const parts = sourcesByCommandFile(root, await bundle(root, folder))
  const { mapCommandsToFiles } = await import(pathToFileURL(join(folder, 'usages.mjs')))
  const paths = [...PACKAGE_FILES, ...BUNDLER_FILES, ...new Set(parts.all)]
  const numbers = new Map(paths.map((path, number) => [path, number]))
  const state = {
    build: name,
    files: paths.map((path) => [path, stampBefore(join(root, path), startedMs)]),
    common: PACKAGE_FILES.length + BUNDLER_FILES.length,
    parts: Object.fromEntries(
      Object.entries(parts).map(([part, sources]) => [part, sources.map((path) => numbers.get(path))]),
    ),
    commands: mapCommandsToFiles(),
  }
  writeState(stateFile(root), state)
  removeOldBuilds(cacheFolder(root))
}

/** Bundles the server of a clone, in the same way. */
async function renewServerBundle(root) {
  const { startedMs, name } = newBuild()
  const chunks = await writeBundle(root, join(serverCacheFolder(root), name), { ...SERVER, ...PDF_WORKER })
  const paths = [...PACKAGE_FILES, ...BUNDLER_FILES, ...new Set(ownSources(root, chunks))]
  writeState(serverStateFile(root), {
    build: name,
    files: paths.map((path) => [path, stampBefore(join(root, path), startedMs)]),
  })
  removeOldBuilds(serverCacheFolder(root))
}

function newBuild() {
  const startedMs = Date.now()
  return { startedMs, name: `${startedMs.toString(36)}-${process.pid}` }
}

function writeState(path, state) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, path)
}

/** A file that changed during the build gets a stamp that never fits, so that the next call builds again. */
function stampBefore(path, startedMs) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && found.mtimeMs >= startedMs ? 'changed' : stampOf(path)
}

function removeOldBuilds(folder) {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  for (const name of names.sort().slice(0, -1 - OLDER_BUILDS))
    rmSync(join(folder, name), { recursive: true, force: true })
}

async function renew(root, isServer) {
  mkdirSync(isServer ? serverCacheFolder(root) : cacheFolder(root), { recursive: true })
  if (!isServer) await renewBundle(root)
  else if (findServerBundle(root) === undefined) await renewServerBundle(root)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(process.argv[1]))
  const [part, folder] = process.argv.slice(2)
  if (folder !== undefined) await bundle(root, resolve(folder), { server: true })
  else await renew(root, part === 'server')
}
