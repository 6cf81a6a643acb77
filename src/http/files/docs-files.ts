/** Lists the files of the documentation site by address, and computes the policy of a page. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { builds, readPagesState } from '../../../bin/pages.mjs'
import type { NoPages } from './built-pages.ts'
import { type Encoding, HTML, TYPES } from './send-file.ts'

export type DocsFile = {
  path: string
  type: string
  /** The paths of the compressed files. */
  encodings: Partial<Record<Encoding, string>>
  /** The name changes with the content. */
  isImmutable: boolean
}

export type DocsFiles = {
  /** The hash of the build. */
  build: string
  /** By address below /docs/: `guides/agents`, `assets/app.js`, and an empty text for the start page. */
  files: Map<string, DocsFile>
  /** Other spellings of an address, with the address that readers are sent to. */
  redirects: Map<string, string>
}

const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

function* filesIn(folder: string): Generator<[string, DocsFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    const encodings = Object.fromEntries(
      Object.entries(ENDINGS)
        .map(([encoding, ending]) => [encoding, path + ending] as const)
        .filter(([, packed]) => existsSync(packed)),
    )
    yield [name, { path, type, encodings, isImmutable: name.startsWith('assets/') }]
  }
}

/** Returns the address of a page without its ending: `guides/index.html` is at `guides/`. */
const addressOf = (name: string, { type }: DocsFile): string =>
  type === HTML ? name.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1') : name

/** Reads the names of the files of the build that the state file of `folder` names, or returns why there is none. */
export function readDocsFiles(folder: string): DocsFiles | NoPages {
  const state = readPagesState(folder)
  if (state === undefined) return { missing: 'none' }
  if (state.state !== 'built') return { missing: state.state, reason: state.reason }
  try {
    const own = [...filesIn(join(folder, state.hash))]
    // Open tabs still load the parts of older builds.
    const older = builds(folder)
      .filter((name) => name !== state.hash)
      .flatMap((name) => [...filesIn(join(folder, name))])
      .filter(([, file]) => file.isImmutable)
    const files = new Map([...older, ...own].map(([name, file]) => [addressOf(name, file), file]))
    const redirects = new Map<string, string>()
    for (const [name, file] of own) {
      const address = addressOf(name, file)
      if (file.type !== HTML) continue
      redirects.set(name, address)
      if (address !== '') redirects.set(address.endsWith('/') ? address.slice(0, -1) : `${address}/`, address)
    }
    return { build: state.hash, files, redirects }
  } catch (error) {
    return { missing: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** Returns the policy of a page: nothing from other sites, and only the scripts that the page was built with. */
export function policyOf(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const scripts = ["'self'", ...new Set(hashes)].join(' ')
  return `default-src 'none'; script-src ${scripts}; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** Returns a page of the top folder with addresses that begin at the site, so that any address can show it. */
export const anchorPage = (page: string, docsUrl: string): string => page.replaceAll('"./', `"${docsUrl}`)
