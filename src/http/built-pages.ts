/** The dashboard as it was built (`bin/build-pages.mjs`), read into memory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { builds, readPagesState } from '../../bin/pages.mjs'

/** One file in each encoding that it was laid down in. */
export type BuiltFile = { type: string; plain: Buffer; br?: Buffer; gzip?: Buffer }

export type BuiltPages = {
  /** Names the build: pages of another one reload. */
  build: string
  /** The page as it was built, before its base address is written into it. */
  page: string
  /** Everything else by its path; files of older builds among them, for tabs that are still open. */
  files: Map<string, BuiltFile>
}

/** Why there are no pages. */
export type NoPages = { missing: 'none' | 'building' | 'failed'; reason?: string }

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}
const optional = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined)

function* filesOf(folder: string): Generator<[string, BuiltFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    yield [
      path.slice(folder.length).replaceAll('\\', '/'),
      { type, plain: readFileSync(path), br: optional(`${path}.br`), gzip: optional(`${path}.gz`) },
    ]
  }
}

/** What `folder` holds: the build that its state names, or why there is none. */
export function readBuiltPages(folder: string): BuiltPages | NoPages {
  const state = readPagesState(folder)
  if (state === undefined) return { missing: 'none' }
  if (state.state !== 'built') return { missing: state.state, reason: state.reason }
  try {
    // The newest last: its files win.
    const names = [
      ...builds(folder)
        .filter((name) => name !== state.hash)
        .reverse(),
      state.hash,
    ]
    return {
      build: state.hash,
      page: readFileSync(join(folder, state.hash, 'index.html'), 'utf8'),
      files: new Map(names.flatMap((name) => [...filesOf(join(folder, name))])),
    }
  } catch (error) {
    return { missing: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}
