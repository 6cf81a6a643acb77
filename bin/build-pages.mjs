// Builds the dashboard's pages and the documentation site, unless these exact builds exist:
// `node bin/build-pages.mjs` builds both, `node bin/build-pages.mjs site` only one.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  isBuilt,
  pagesFolder,
  pagesHash,
  readPagesState,
  removeOldBuilds,
  siteFolder,
  siteHash,
  writePagesState,
} from './pages.mjs'

const run = promisify(execFile)
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const COMPRESSED = /\.(html|js|css|svg|json|webmanifest|md|txt)$/

/** Builds the dashboard's current sources and makes the service use the build; returns the state. Never throws. */
export const buildPages = (root) =>
  buildOnce(root, { hash: pagesHash(root), folder: pagesFolder(root), write: writeDashboard })

/** Builds the documentation site in the same way. */
export const buildSite = (root) =>
  buildOnce(root, { hash: siteHash(root), folder: siteFolder(root), write: writeSite })

async function buildOnce(root, { hash, folder, write }) {
  if (hash === undefined) return readPagesState(folder)
  try {
    if (!isBuilt(folder, hash)) {
      writePagesState(folder, { hash, state: 'building' })
      await build(root, folder, hash, write)
    }
    const now = new Date()
    utimesSync(join(folder, hash), now, now)
    writePagesState(folder, { hash, state: 'built' })
    removeOldBuilds(folder, hash)
  } catch (error) {
    writePagesState(folder, { hash, state: 'failed', reason: reasonOf(error) })
  }
  return readPagesState(folder)
}

async function build(root, folder, hash, write) {
  const draft = join(folder, `.building-${process.pid}`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  await write(root, draft)
  await compressAll(draft)
  try {
    renameSync(draft, join(folder, hash))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process has built the same sources meanwhile.
    if (!isBuilt(folder, hash)) throw error
  }
}

const runNode = (root, args) =>
  run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 16 * 1024 * 1024,
  })

function writeDashboard(root, draft) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const config = join(root, 'dashboard/vite.config.ts')
  return runNode(root, [vite, 'build', '--config', config, '--outDir', draft, '--emptyOutDir'])
}

const writeSite = (root, draft) => runNode(root, [join(root, 'site/build.ts'), draft])

/**
 * Compresses every text file with brotli and gzip next to the original, so that no request waits for
 * compression.
 */
async function compressAll(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && COMPRESSED.test(file.name))
    .map((file) => join(file.parentPath, file.name))
  const [inBrotli, inGzip] = [promisify(brotliCompress), promisify(gzip)]
  await Promise.all(
    files.map(async (path) => {
      const text = await readFile(path)
      await Promise.all([
        inBrotli(text, BROTLI).then((bytes) => writeFile(`${path}.br`, bytes)),
        inGzip(text).then((bytes) => writeFile(`${path}.gz`, bytes)),
      ])
    }),
  )
}

const MAX_REASON = 4_000
const reasonOf = (error) =>
  stripVTControlCharacters(`${error.stderr ?? ''}\n${error.message ?? error}`)
    .trim()
    .slice(0, MAX_REASON)

const BUILDS = {
  dashboard: ['The dashboard', buildPages],
  site: ['The documentation site', buildSite],
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(process.argv[1]))
  const names = process.argv.slice(2)
  for (const name of names.length > 0 ? names : Object.keys(BUILDS)) {
    const [title, build] = BUILDS[name]
    const state = await build(root)
    if (state?.state === 'built') continue
    console.error(`${title} could not be built: ${state?.reason ?? 'its sources are not here'}`)
    process.exitCode = 1
  }
}
