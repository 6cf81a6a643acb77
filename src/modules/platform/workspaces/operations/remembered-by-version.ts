/**
 * Caches data of workspaces in the process under the database's version of it (`reference_versions`). A
 * transaction reads only the versions, and reloads data with another version, so that the data is always
 * current, even after changes by other processes.
 */
import { beforeCommit, type Unit } from '../../../../core/context.ts'
import { expectReferenceVersions, listReferenceVersions } from '../queries/workspaces.ts'

/** `mayKeep`: small enough to keep, and still valid if the transaction that read it fails. */
export type Loaded<Value> = { value: Value; mayKeep: boolean }
type Load<Value> = (workspaceIds: string[]) => Promise<Map<string, Loaded<Value>>>

const MAX_WORKSPACES = 2_000

/** Returns values by workspace id; workspaces for which `load` has nothing are missing. */
type Recall<Value> = (unit: Unit, workspaceIds: string[], load: Load<Value>) => Promise<Map<string, Value>>

/**
 * Builds a cache for one kind of value. `read` reads the versions; `assume` does not wait for them: if all
 * are cached, the transaction continues, and fails if one has changed.
 */
export function rememberedByVersion<Value>(): { read: Recall<Value>; assume: Recall<Value> } {
  /** By workspace id, the oldest first. Versions are random ids, so no two databases or states share one. */
  const valuesByWorkspace = new Map<string, { version: string; value: Value }>()

  const remember = (id: string, version: string, value: Value): void => {
    valuesByWorkspace.delete(id)
    valuesByWorkspace.set(id, { version, value })
    if (valuesByWorkspace.size > MAX_WORKSPACES)
      valuesByWorkspace.delete(valuesByWorkspace.keys().next().value as string)
  }

  const read: Recall<Value> = async (unit, workspaceIds, load) => {
    const ids = [...new Set(workspaceIds)]
    const unknown = new Set(ids.filter((id) => !valuesByWorkspace.has(id)))
    const loadMissing = async (missingIds: string[]): Promise<Map<string, Loaded<Value>>> =>
      missingIds.length > 0 ? load(missingIds) : new Map()
    // In this order, so that the data is at least as new as its version.
    const [rows, first] = await Promise.all([listReferenceVersions(unit.tx, ids), loadMissing([...unknown])])
    const versions = new Map(rows.map((row) => [row.workspaceId, row.version]))
    const values = new Map<string, Value>()
    for (const id of ids) {
      const cached = valuesByWorkspace.get(id)
      if (cached !== undefined && cached.version === versions.get(id)) values.set(id, cached.value)
    }
    const stale = ids.filter((id) => !values.has(id) && !unknown.has(id))
    for (const loaded of [first, await loadMissing(stale)])
      for (const [id, { value, mayKeep }] of loaded) {
        values.set(id, value)
        const version = versions.get(id)
        if (version !== undefined && mayKeep) remember(id, version, value)
        else valuesByWorkspace.delete(id)
      }
    return values
  }

  const assume: Recall<Value> = async (unit, workspaceIds, load) => {
    const ids = [...new Set(workspaceIds)]
    const cachedValues = ids.flatMap((id) => {
      const cached = valuesByWorkspace.get(id)
      return cached ? [{ id, ...cached }] : []
    })
    if (cachedValues.length < ids.length) return read(unit, ids, load)
    const versions = cachedValues.map(({ id, version }) => ({ workspaceId: id, version }))
    beforeCommit(unit, expectReferenceVersions(unit.tx, versions))
    return new Map(cachedValues.map(({ id, value }) => [id, value]))
  }

  return { read, assume }
}
