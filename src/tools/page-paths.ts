/** Generates src/http/files/page-paths.ts: the paths of the dashboard's pages, from its table of pages. */
import { join } from 'node:path'

type PageTable = { PAGES: { path: string }[]; FRAME_PATHS: Record<string, string> }

/** The table imports icons and browser types, so it is loaded only when the file is generated. */
const readTable = (root: string): Promise<PageTable> => import(join(root, 'dashboard/pages.ts'))

export async function pagePathsFile(root: string): Promise<string> {
  const { PAGES, FRAME_PATHS } = await readTable(root)
  const paths = [
    ...Object.values(FRAME_PATHS),
    ...PAGES.map(({ path }) => `${FRAME_PATHS.workspace}/${path}`),
  ]
  return `// Generated from dashboard/pages.ts by \`parley reference\`; do not edit.

/** Of every page, as the dashboard's router reads them: \`$name\` is any part of an address, \`{-$name}\` one that may be left out. */
export const PAGE_PATHS: readonly string[] = [
${paths.map((path) => `  '${path}',`).join('\n')}
]
`
}
