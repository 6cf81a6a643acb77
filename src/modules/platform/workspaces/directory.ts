/**
 * The data that each request needs of its workspace, cached in the process. The database announces changes
 * (trigger `announce`), so all processes drop an entry within moments; without that connection, entries live
 * for a second at most. Parallel look-ups share statements.
 */
import { batched, HOT_BATCH } from '../../../core/batch.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Query, Workspace } from '../../../core/context.ts'
import {
  findNumberByOperatorId,
  findWorkspaceByCaptureToken,
  type KeyRecord,
  listKeysByHash,
  listNumbersOf,
  listWorkspacesById,
  type NumberRecord,
} from './queries/workspaces.ts'
import { rememberLookups } from './remembered.ts'

export type Directory = {
  /** Returns the key with this hash. Queries only for a cached one, or for a value that may be a key. */
  key(hash: Buffer, mayBeKey: () => boolean): Promise<KeyRecord | undefined>
  workspace(id: string): Promise<Workspace | undefined>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns the workspace whose lead-capture link has this token. */
  workspaceByCaptureToken(token: string): Promise<Workspace | undefined>
  numbers(workspaceId: string): Promise<NumberRecord[]>
  /** Returns whether `numbers` can answer without the database. */
  remembersNumbers(workspaceId: string): boolean
  numberByOperatorId(operator: string, operatorId: string): Promise<NumberRecord | undefined>
  /** Drops the cached data of a workspace; of all workspaces without an id. */
  forget(workspaceId?: string): void
  /** Sets whether this process receives announcements of changes now. */
  setListening(listening: boolean): void
}

const FRESH_MS = 60_000
const NO_KEY = Promise.resolve(undefined)
const FRESH_WITHOUT_NEWS_MS = 1_000

/** Builds a look-up by name that uses one statement for all parallel names. */
function gathered<Row>(
  list: (names: string[]) => Promise<Row[]>,
  nameOf: (row: Row) => string,
): (name: string) => Promise<Row | undefined> {
  const find = async (names: string[]) => {
    const rows = new Map((await list(names)).map((row) => [nameOf(row), row]))
    return names.map((name) => rows.get(name))
  }
  // A single look-up does not wait for others.
  return batched(find, { ...HOT_BATCH, least: 1, few: 0, mayRunAgain: () => false })
}

/** Opens the directory over `query`, which runs with the platform's rights. */
export function createDirectory(query: Query, clock: Clock): Directory {
  let isListening = false
  const freshMs = () => (isListening ? FRESH_MS : FRESH_WITHOUT_NEWS_MS)
  const keys = rememberLookups<KeyRecord | undefined>(clock, freshMs, (_, found) => found?.workspace.id)
  const workspaces = rememberLookups<Workspace | undefined>(clock, freshMs, (_, found) => found?.id)
  const byCaptureToken = rememberLookups<Workspace | undefined>(clock, freshMs, (_, found) => found?.id)
  const numbers = rememberLookups<NumberRecord[]>(clock, freshMs, (_, [first]) => first?.workspaceId)
  const byOperatorId = rememberLookups<NumberRecord | undefined>(
    clock,
    freshMs,
    (_, record) => record?.workspaceId,
  )
  const findKey = gathered<KeyRecord>(
    (hashes) =>
      listKeysByHash(
        query,
        hashes.map((hash) => Buffer.from(hash, 'base64')),
        clock.now(),
      ),
    ({ hash }) => hash.toString('base64'),
  )
  const findWorkspace = gathered<Workspace>(
    (ids) => listWorkspacesById(query, ids),
    ({ id }) => id,
  )
  const workspace = (id: string) => workspaces.get(id, () => findWorkspace(id))
  return {
    key: (hash, mayBeKey) => {
      const name = hash.toString('base64')
      return keys.get(name, () => (mayBeKey() ? findKey(name) : NO_KEY))
    },
    workspace,
    workspaces: async (ids) => {
      const found = await Promise.all([...new Set(ids)].map(workspace))
      return new Map(
        found.filter((workspace) => workspace !== undefined).map((workspace) => [workspace.id, workspace]),
      )
    },
    workspaceByCaptureToken: (token) =>
      byCaptureToken.get(token, async () => {
        const id = await findWorkspaceByCaptureToken(query, token)
        return id === undefined ? undefined : workspace(id)
      }),
    remembersNumbers: numbers.has,
    numbers: (workspaceId) => numbers.get(workspaceId, () => listNumbersOf(query, workspaceId)),
    numberByOperatorId: (operator, operatorId) =>
      byOperatorId.get(`${operator} ${operatorId}`, () =>
        findNumberByOperatorId(query, operator, operatorId),
      ),
    forget: (workspaceId) => {
      for (const cache of [keys, workspaces, byCaptureToken, numbers, byOperatorId]) cache.forget(workspaceId)
    },
    setListening: (now) => {
      isListening = now
    },
  }
}
