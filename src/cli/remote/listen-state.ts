/** The state of `parley listen` on disk: its place in the log, and its signing secret. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { makeFolder } from '../../core/make-folder.ts'

const ListenState = z.object({ after: Id, secret: z.string() })

/** Returns the state in the file; undefined if there is no file. Throws if the file has other content. */
export function readListenState(path: string): { after: string; secret: string } | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fault
  }
  try {
    return ListenState.parse(JSON.parse(text))
  } catch {
    throw new Error(`${path} isn't a state file of "parley listen". Delete it to start over.`)
  }
}

/** Replaces the file in one step, so that a kill leaves the old state or the new one. Only its owner may read it. */
export function writeListenState(path: string, after: string, secret: string): void {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ after, secret }), { mode: 0o600 })
  renameSync(draft, path)
}
