import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents, unless they exist. Node's own recursive option loops forever where the system reports an
 * existing parent as missing, as below /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if (isFolder(path)) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolder(dirname(path))) throw error
    makeFolder(dirname(path), mode)
    makeFolder(path, mode)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
