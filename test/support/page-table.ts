import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const TABLE = join(import.meta.dirname, '../../dashboard/pages.ts')

/**
 * Returns the ids and addresses of `PAGES`, without optional fields. It reads them from the source text,
 * because importing the table also imports the icons of the pages and browser types.
 */
export const pagePaths = (): [id: string, path: string][] =>
  [...readFileSync(TABLE, 'utf8').matchAll(/id: '([\w-]+)',\s*path: '([^']+)'/g)].map(([, id, path]) => [
    id!,
    path!.replace(/\/\{-\$\w+\}/g, ''),
  ])
