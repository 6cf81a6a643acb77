import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const TABLE = join(import.meta.dirname, '../../dashboard/pages.ts')

/**
 * The ids and addresses of `PAGES`, without what may be left out. They are read from the text: the table itself brings the icons of the
 * pages and their types of the browser.
 */
export const pagePaths = (): [id: string, path: string][] =>
  [...readFileSync(TABLE, 'utf8').matchAll(/id: '([\w-]+)',\s*path: '([^']+)'/g)].map(([, id, path]) => [
    id!,
    path!.replace(/\/\{-\$\w+\}/g, ''),
  ])
