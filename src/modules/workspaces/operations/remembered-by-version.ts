/**
 * What workspaces have, remembered in the process by the version that the database gives it (`reference_versions`). A transaction
 * asks for the versions alone, and reads again what has another one: it is never older than if it had been read, whichever
 * process changed it.
 */
import { beforeCommit, type Unit } from '../../../core/context.ts'
import { expectReferenceVersions, listReferenceVersions } from '../queries/workspaces.ts'

/** `mayKeep`: it is of a size to be kept, and nothing of it goes when the transaction that read it fails. */
export type Loaded<Value> = { value: Value; mayKeep: boolean }
type Load<Value> = (workspaceIds: string[]) => Promise<Map<string, Loaded<Value>>>

const MAX_WORKSPACES = 2_000

/** Values of workspaces, by their ids; those that `load` has nothing for are missing. */
type Recall<Value> = (unit: Unit, workspaceIds: string[], load: Load<Value>) => Promise<Map<string, Value>>

/**
 * A memory of one kind of value. `read` asks for the versions; `assume` does not wait for that: where all are known the
 * transaction goes on with them, and fails by itself when one has changed.
 */
export function rememberedByVersion<Value>(): { read: Recall<Value>; assume: Recall<Value> } {
  /** By workspace id, the oldest first. No two databases, and no two states of one, share a version: it is a random id. */
  const remembered = new Map<string, { version: string; value: Value }>()

  const remember = (id: string, version: string, value: Value): void => {
    remembered.delete(id)
    remembered.set(id, { version, value })
    if (remembered.size > MAX_WORKSPACES) remembered.delete(remembered.keys().next().value as string)
  }

  const read: Recall<Value> = async (unit, workspaceIds, load) => {
    const ids = [...new Set(workspaceIds)]
    const unknown = new Set(ids.filter((id) => !remembered.has(id)))
    const loadSome = async (some: string[]): Promise<Map<string, Loaded<Value>>> =>
      some.length > 0 ? load(some) : new Map()
    // In this order: what is read after its version is at least as new.
    const [rows, first] = await Promise.all([listReferenceVersions(unit.tx, ids), loadSome([...unknown])])
    const versions = new Map(rows.map((row) => [row.workspaceId, row.version]))
    const values = new Map<string, Value>()
    for (const id of ids) {
      const known = remembered.get(id)
      if (known !== undefined && known.version === versions.get(id)) values.set(id, known.value)
    }
    const stale = ids.filter((id) => !values.has(id) && !unknown.has(id))
    for (const loaded of [first, await loadSome(stale)])
      for (const [id, { value, mayKeep }] of loaded) {
        values.set(id, value)
        const version = versions.get(id)
        if (version !== undefined && mayKeep) remember(id, version, value)
        else remembered.delete(id)
      }
    return values
  }

  const assume: Recall<Value> = async (unit, workspaceIds, load) => {
    const ids = [...new Set(workspaceIds)]
    const known = ids.flatMap((id) => {
      const one = remembered.get(id)
      return one ? [{ id, ...one }] : []
    })
    if (known.length < ids.length) return read(unit, ids, load)
    const versions = known.map(({ id, version }) => ({ workspaceId: id, version }))
    beforeCommit(unit, expectReferenceVersions(unit.tx, versions))
    return new Map(known.map(({ id, value }) => [id, value]))
  }

  return { read, assume }
}
