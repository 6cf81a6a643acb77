/**
 * What every request needs to know of its workspace, remembered in the process. The database
 * announces changes (trigger `announce`), so an entry is forgotten in every process within moments;
 * while that line is down, entries live for a second at most.
 */
import type { Clock } from '../../core/clock.ts'
import { later } from '../../core/clock.ts'
import type { Query, Workspace } from '../../core/context.ts'
import {
  countWorkingKeys,
  findKeyByHash,
  findNumberByOperatorId,
  findWorkspaceByCaptureToken,
  type KeyRecord,
  listNumbersOf,
  listWorkspacesById,
  type NumberRecord,
} from './queries/workspaces.ts'

type Entry<Value> = { value: Promise<Value>; loadedAtMs: number; generation: number; kept: boolean }

export type Directory = {
  key(hash: Buffer): Promise<KeyRecord | undefined>
  workspace(id: string): Promise<Workspace | undefined>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** The workspace whose lead-capture link has this token. */
  workspaceByCaptureToken(token: string): Promise<Workspace | undefined>
  /** Whether more than one key of the workspace works. */
  hasSeveralKeys(workspace: Workspace): Promise<boolean>
  numbers(workspaceId: string): Promise<NumberRecord[]>
  numberByOperatorId(operator: string, operatorId: string): Promise<NumberRecord | undefined>
  /** Drops what is remembered of a workspace; of all of them without an id. */
  forget(workspaceId?: string): void
  /** Whether changes are being announced to this process just now. */
  setListening(listening: boolean): void
}

const ENTRIES_MAX = 50_000
const FRESH_MS = 60_000
const FRESH_WITHOUT_NEWS_MS = 1_000

/** A bounded memory of look-ups, each belonging to a workspace once its answer is known. */
function memory<Value>(
  clock: Clock,
  limit: () => number,
  workspaceOf: (key: string, value: Value) => string | undefined,
) {
  const entries = new Map<string, Entry<Value>>()
  const byWorkspace = new Map<string, Set<string>>()
  let generation = 0
  const drop = (key: string) => entries.delete(key)
  return {
    get(key: string, load: () => Promise<Value>): Promise<Value> {
      const known = entries.get(key)
      // A look that began before the last change may come back with what was before it: nobody new shares it.
      const isGood = known && (known.kept || known.generation === generation)
      if (isGood && clock.monotonicMs() - known.loadedAtMs < limit()) return known.value
      const value = load()
      const entry = { value, loadedAtMs: clock.monotonicMs(), generation, kept: false }
      entries.delete(key)
      entries.set(key, entry)
      if (entries.size > ENTRIES_MAX) drop(entries.keys().next().value as string)
      value.then(
        (answer) => {
          const owner = workspaceOf(key, answer)
          // Nothing found, or something changed while we looked: not worth remembering.
          if (owner === undefined || entry.generation !== generation || entries.get(key) !== entry) {
            if (entries.get(key) === entry) drop(key)
            return
          }
          entry.kept = true
          const keys = byWorkspace.get(owner) ?? new Set()
          byWorkspace.set(owner, keys.add(key))
        },
        () => {
          if (entries.get(key) === entry) drop(key)
        },
      )
      return value
    },
    forget(workspaceId?: string): void {
      generation++
      if (workspaceId === undefined) {
        entries.clear()
        byWorkspace.clear()
        return
      }
      for (const key of byWorkspace.get(workspaceId) ?? []) drop(key)
      byWorkspace.delete(workspaceId)
    },
  }
}

/** Opens the directory over `query`, which runs as the platform. */
export function createDirectory(query: Query, clock: Clock): Directory {
  let listening = false
  const limit = () => (listening ? FRESH_MS : FRESH_WITHOUT_NEWS_MS)
  const keys = memory<KeyRecord | undefined>(clock, limit, (_, record) => record?.workspaceId)
  const workspaces = memory<Workspace | undefined>(clock, limit, (id) => id)
  const byCaptureToken = memory<Workspace | undefined>(clock, limit, (_, found) => found?.id)
  const several = memory<boolean>(clock, limit, (id) => id)
  const numbers = memory<NumberRecord[]>(clock, limit, (id) => id)
  const byOperatorId = memory<NumberRecord | undefined>(clock, limit, (_, record) => record?.workspaceId)
  const workspace = (id: string) => workspaces.get(id, async () => (await listWorkspacesById(query, [id]))[0])
  return {
    key: (hash) => keys.get(hash.toString('base64'), () => findKeyByHash(query, hash)),
    workspace,
    workspaces: async (ids) => {
      const found = await Promise.all([...new Set(ids)].map(workspace))
      return new Map(found.filter((one) => one !== undefined).map((one) => [one.id, one]))
    },
    workspaceByCaptureToken: (token) =>
      byCaptureToken.get(token, async () => {
        const id = await findWorkspaceByCaptureToken(query, token)
        return id === undefined ? undefined : workspace(id)
      }),
    hasSeveralKeys: ({ id, clockOffsetMs }) =>
      several.get(id, async () => (await countWorkingKeys(query, id, later(clock.now(), clockOffsetMs))) > 1),
    numbers: (workspaceId) => numbers.get(workspaceId, () => listNumbersOf(query, workspaceId)),
    numberByOperatorId: (operator, operatorId) =>
      byOperatorId.get(`${operator} ${operatorId}`, () =>
        findNumberByOperatorId(query, operator, operatorId),
      ),
    forget: (workspaceId) => {
      for (const one of [keys, workspaces, byCaptureToken, several, numbers, byOperatorId])
        one.forget(workspaceId)
    },
    setListening: (now) => {
      listening = now
    },
  }
}
