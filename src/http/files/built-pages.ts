/** Reads the built dashboard (`bin/build-pages.mjs`) into memory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { builds, readPagesState } from '../../../bin/pages.mjs'
import { type BuiltFile, HTML, TYPES } from './send-file.ts'

export type BuiltPages = {
  /** The hash of the build. Open pages of another build reload. */
  build: string
  /** The page as built, without its base address. */
  page: string
  /** All other files by path. Includes files of older builds, for tabs that are still open. */
  files: Map<string, BuiltFile>
  /** The scripts that the page at `/w/{workspace}/{name}` needs besides the main script, by page name. */
  scripts: Map<string, string[]>
}

/** Why there are no pages. */
export type NoPages = { missing: 'none' | 'building' | 'failed'; reason?: string }

const optional = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined)

function* filesOf(folder: string): Generator<[string, BuiltFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    // The page itself is served with its base address, never as it is.
    if (!entry.isFile() || type === undefined || type === HTML) continue
    const path = join(entry.parentPath, entry.name)
    yield [
      path.slice(folder.length).replaceAll('\\', '/'),
      { type, plain: readFileSync(path), br: optional(`${path}.br`), gzip: optional(`${path}.gz`) },
    ]
  }
}

type Chunk = { file: string; imports?: string[]; isEntry?: boolean }

/**
 * Returns the scripts of each page. The manifest of the bundler names pages by their source,
 * `inbox/page.tsx`.
 */
function scriptsOf(folder: string): Map<string, string[]> {
  const manifest = optional(join(folder, '.vite/manifest.json'))
  const chunks: Record<string, Chunk> = manifest ? JSON.parse(manifest.toString()) : {}
  const collectFiles = (key: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[key]
    if (chunk && !chunk.isEntry && !found.has(chunk.file)) {
      found.add(chunk.file)
      for (const importKey of chunk.imports ?? []) collectFiles(importKey, found)
    }
    return found
  }
  const pages = Object.keys(chunks).flatMap((key) => /^([\w-]+)\/page\.tsx$/.exec(key)?.[1] ?? [])
  return new Map(pages.map((name) => [name, [...collectFiles(`${name}/page.tsx`)]]))
}

/** Reads the build named in the state file of `folder`, or returns why there is none. */
export function readBuiltPages(folder: string): BuiltPages | NoPages {
  const state = readPagesState(folder)
  if (state === undefined) return { missing: 'none' }
  if (state.state !== 'built') return { missing: state.state, reason: state.reason }
  try {
    // The newest build comes last, so its files replace older ones.
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
      scripts: scriptsOf(join(folder, state.hash)),
    }
  } catch (error) {
    return { missing: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}
