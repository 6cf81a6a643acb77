// Bundles the sources for Node. `parley` starts from a bundle in a tenth of the time, because no types have to be
// stripped and only the parts of one command are loaded. `node bin/bundle.mjs` renews the bundle of a clone.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { cacheFolder, PACKAGE_FILES, stampOf, stateFile } from './bundle-cache.mjs'

const COMMAND_LINE = {
  cli: 'src/cli/main.ts',
  usages: 'src/cli/usages.ts',
  'pdf-worker': 'src/pdf/pdf-worker.ts',
}
const SERVER = { main: 'src/main.ts' }

/** Packages that are part of the bundle, because their many files would take longer to load than a command. */
const BUNDLED_PACKAGES =
  /^(kysely|pg|pg-[a-z-]+|pgpass|split2|postgres-[a-z]+|pg-protocol|xtend|zod|ipaddr\.js|libphonenumber-js)(\/|$)/
/** Optional parts of `pg`, which are not installed. */
const NEVER_BUNDLED = /^(pg-native|pg-cloudflare|pg-query-stream)$/

const isExternal = (id) =>
  !id.startsWith('.') && !isAbsolute(id) && (NEVER_BUNDLED.test(id) || !BUNDLED_PACKAGES.test(id))

/**
 * Writes the bundle to `folder` and returns the paths of its sources and of the packages' files in it. With `server`, it
 * includes the server.
 */
export async function bundle(root, folder, { server = false } = {}) {
  const build = await rolldown({
    cwd: root,
    input: server ? { ...COMMAND_LINE, ...SERVER } : COMMAND_LINE,
    platform: 'node',
    external: isExternal,
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
  const { describeCommands } = await import(pathToFileURL(join(folder, 'usages.mjs')))
  writeFileSync(join(folder, 'usages.json'), JSON.stringify(await describeCommands()))
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  return [...new Set(modules)]
    .filter(isAbsolute)
    .map((path) => relative(root, path))
    .sort()
}

/** The number of older builds kept for commands that still run. */
const OLDER_BUILDS = 2

/** Bundles the command line of a clone. Calls at the same time each write a build, and the last one counts. */
async function renewBundle(root) {
  const startedMs = Date.now()
  const name = `${startedMs.toString(36)}-${process.pid}`
  const modules = await bundle(root, join(cacheFolder(root), name))
  const sources = modules.filter((path) => !path.startsWith('node_modules'))
  const stamps = Object.fromEntries(
    [...sources, ...PACKAGE_FILES, 'bin/bundle.mjs'].map((path) => [path, stampBefore(join(root, path), startedMs)]),
  )
  const draft = `${stateFile(root)}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ build: name, stamps }))
  renameSync(draft, stateFile(root))
  removeOldBuilds(cacheFolder(root))
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(process.argv[1]))
  mkdirSync(cacheFolder(root), { recursive: true })
  await renewBundle(root)
}
