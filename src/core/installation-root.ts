/** The folder of this installation: a clone, or the installed package. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder above this file with a package.json. Modules run from `src` and from bundles in other folders. */
export const ROOT = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`No package.json was found above ${import.meta.dirname}.`)
  return findRoot(parent)
}

/** True if this file is part of a bundle (bin/bundle.mjs), whose modules share one folder. */
export const IS_BUNDLED = import.meta.filename.endsWith('.mjs')

/** True for the package from npm. A clone has sources. */
export const isPackage = (): boolean => !existsSync(join(ROOT, 'src/main.ts'))
