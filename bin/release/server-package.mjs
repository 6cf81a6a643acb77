// The npm package of the server: compiled code, migrations, and built pages, without sources and tools.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { buildPages, buildSite } from '../build-pages.mjs'
import { bundle } from '../bundle.mjs'
import { pagesFolder, siteFolder, writePagesState } from '../pages.mjs'
import { collectPackages, writeNotices } from './third-party.mjs'

const COPIED = [
  ...['parley', 'parley.mjs', 'launch-parley.mjs', 'run-child.mjs', 'bundle-cache.mjs'].map(
    (name) => `bin/${name}`,
  ),
  'bin/find-node.mjs',
  'bin/heap-flags.mjs',
  'bin/heap-flags.env',
  'migrations',
  // The code reads these two at their places in a clone.
  'src/database/expected-schema.json',
  'src/http/openapi/reply-examples.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...[
    'operating',
    'growing',
    'cells',
    'high-availability',
    'observability',
    'running',
    'reliability',
    'simulator',
    'words',
  ].map((name) => `docs/${name}.md`),
]
const LAUNCHER_NODE = '>=20'

/** The packages whose code the documentation site carries: its theme, its search, and the interactive reference. */
const IN_SITE = ['vue', '@vueuse/core', '@vueuse/integrations', 'focus-trap', 'mark.js', 'minisearch']
/** Their dependencies only build the site. */
const IN_SITE_ALONE = ['node_modules/swagger-ui-dist', 'node_modules/vitepress']

/** Writes the package to `folder`. Returns the paths of the packages of others in the lock file that it contains or installs. */
export async function writeServerPackage(root, folder) {
  rmSync(folder, { recursive: true, force: true })
  for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true })
  chmodSync(join(folder, 'bin/parley'), 0o755)
  const chunks = await bundle(root, join(folder, 'dist/server'), { server: true })
  await copyPages(root, folder)
  const manifest = readJson(join(root, 'package.json'))
  const { packages } = readJson(join(root, 'package-lock.json'))
  const bundled = bundledPackages(root, chunks)
  const dependencies = pinned(manifest.dependencies, packages, (name) => !bundled.has(`node_modules/${name}`))
  requireDeclared(chunks, dependencies)
  const written = {
    ...pick(manifest, ['name', 'version', 'description', 'license', 'type', 'bin']),
    engines: { node: LAUNCHER_NODE },
    // Older versions of Node only launch the packaged one.
    serverEngines: manifest.engines,
    dependencies,
    optionalDependencies: pinned(manifest.optionalDependencies, packages),
  }
  const installed = collectPackages(packages, [
    ...Object.keys(written.dependencies),
    ...Object.keys(written.optionalDependencies),
  ])
  const inPages = new Set([
    ...collectPackages(packages, [...importedByPages(root), ...IN_SITE.filter(isInstalled(packages))]).keys(),
    ...IN_SITE_ALONE,
  ])
  writeJson(join(folder, 'package.json'), written)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap(written, installed))
  const notices = writeNotices(root, new Set([...bundled, ...inPages]))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices)
  return new Set([...installed.keys(), ...bundled, ...inPages])
}

async function copyPages(root, folder) {
  for (const [name, build, place] of [
    ['pages', buildPages, pagesFolder],
    ['documentation', buildSite, siteFolder],
  ]) {
    const state = await build(root)
    if (state?.state !== 'built') throw new Error(`The ${name} could not be built: ${state?.reason}`)
    cpSync(join(place(root), state.hash), join(place(folder), state.hash), { recursive: true })
    writePagesState(place(folder), { hash: state.hash, state: 'built' })
  }
}

/** Returns the paths of the packages whose code is in the bundle. */
function bundledPackages(root, chunks) {
  const paths = chunks.flatMap(({ moduleIds }) => moduleIds).filter(isAbsolute)
  return new Set(
    paths.flatMap((path) => {
      const parts = relative(root, path).split('node_modules/')
      if (parts.length === 1) return []
      const name = /^(@[^/]+\/)?[^/]+/.exec(parts.pop())[0]
      return [`${parts.join('node_modules/')}node_modules/${name}`]
    }),
  )
}

/** Only `npm run dev` loads these, from the sources. */
const NEVER_LOADED = ['vite']

/** Throws if the bundle imports a package that is not installed. */
function requireDeclared(chunks, dependencies) {
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const imported = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((id) => !own.has(id) && !id.startsWith('node:'))
    .map((id) => /^(@[^/]+\/)?[^/]+/.exec(id)[0])
  const missing = imported.filter((name) => !(name in dependencies) && !NEVER_LOADED.includes(name))
  if (missing.length > 0) throw new Error(`The bundle imports ${missing.join(', ')}, which is no dependency.`)
}

/** Returns the names of the packages that the sources of the pages import. */
function importedByPages(root) {
  const folder = join(root, 'dashboard')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(tsx?|css)$/.test(path) && !/\.test\.tsx?$|vite\.config/.test(path),
  )
  const names = files.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/(?:from|import) ['"]((?:@[\w-]+\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    ),
  )
  return [...new Set(names)]
}

/** Returns dependencies with the exact versions of the lock file, so that an installation equals what the tests ran with. */
const pinned = (dependencies, packages, isKept = () => true) =>
  Object.fromEntries(
    Object.keys(dependencies)
      .filter(isKept)
      .map((name) => [name, packages[`node_modules/${name}`].version]),
  )

/** Fixes the versions of all installed packages, also of those that our dependencies need. */
function shrinkwrap(manifest, installed) {
  const { name, version } = manifest
  const entries = [...installed].map(([path, { dev, devOptional, ...entry }]) => [
    path,
    { ...entry, ...(devOptional ? { optional: true } : {}) },
  ])
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(entries) },
  }
}

const isInstalled = (packages) => (name) => `node_modules/${name}` in packages
const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]))
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
