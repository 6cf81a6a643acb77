import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with those above it, or finds it there. Node's own recursive way never ends where the system says that the
 * folder above is missing although it is there, as below /proc.
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
