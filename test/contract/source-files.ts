/** Finds and reads the files of the repository, for tests that hold a rule over all of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const ROOT = join(import.meta.dirname, '../..')

/** Returns the text of a file. `path` starts at the root of the repository. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the paths of the files in a folder and its subfolders that match `name`, in order. */
export const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => name.test(path))
    .sort()

/** Returns the syntax tree and the comments of a source file. */
export const parse = (path: string) => parseSync(path, read(path))
