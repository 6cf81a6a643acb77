// Builds the dashboard's pages unless this exact build exists: `node bin/build-pages.mjs`.
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
  writePagesState,
} from './pages.mjs'

const run = promisify(execFile)
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const COMPRESSED = /\.(html|js|css|svg|json|webmanifest)$/

/** Builds the current sources and makes the service use the build; returns the state. Never throws. */
export async function buildPages(root) {
  const hash = pagesHash(root)
  const folder = pagesFolder(root)
  if (hash === undefined) return readPagesState(folder)
  try {
    if (!isBuilt(folder, hash)) {
      writePagesState(folder, { hash, state: 'building' })
      await build(root, hash)
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

async function build(root, hash) {
  const folder = pagesFolder(root)
  const draft = join(folder, `.building-${process.pid}`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const config = join(root, 'dashboard/vite.config.ts')
  await run(process.execPath, [vite, 'build', '--config', config, '--outDir', draft, '--emptyOutDir'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 16 * 1024 * 1024,
  })
  await compressAll(draft)
  try {
    renameSync(draft, join(folder, hash))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process has built the same sources meanwhile.
    if (!isBuilt(folder, hash)) throw error
  }
}

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const state = await buildPages(dirname(dirname(process.argv[1])))
  if (state?.state !== 'built') {
    console.error(`The dashboard could not be built: ${state?.reason ?? 'its sources are not here'}`)
    process.exitCode = 1
  }
}
