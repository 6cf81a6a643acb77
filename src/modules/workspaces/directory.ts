/**
 * What every request needs to know of its workspace, remembered in the process. The database
 * announces changes (trigger `announce`), so an entry is forgotten in every process within moments;
 * while that line is down, entries live for a second at most. Keys, and workspaces, that are looked up at once share statements.
 */
import { batched, HOT_BATCH } from '../../core/batch.ts'
import type { Clock } from '../../core/clock.ts'
import type { Query, Workspace } from '../../core/context.ts'
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
  /** The key of this hash. Only one that is remembered, or that may be a key, is looked for. */
  key(hash: Buffer, mayBeKey: () => boolean): Promise<KeyRecord | undefined>
  workspace(id: string): Promise<Workspace | undefined>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** The workspace whose lead-capture link has this token. */
  workspaceByCaptureToken(token: string): Promise<Workspace | undefined>
  numbers(workspaceId: string): Promise<NumberRecord[]>
  /** Whether `numbers` need not ask the database. */
  remembersNumbers(workspaceId: string): boolean
  numberByOperatorId(operator: string, operatorId: string): Promise<NumberRecord | undefined>
  /** Drops what is remembered of a workspace; of all of them without an id. */
  forget(workspaceId?: string): void
  /** Whether changes are being announced to this process just now. */
  setListening(listening: boolean): void
}

const FRESH_MS = 60_000
const NO_KEY = Promise.resolve(undefined)
const FRESH_WITHOUT_NEWS_MS = 1_000

/** Finds one by its name, with one statement for all names that are asked for at once. */
function gathered<Row>(
  list: (names: string[]) => Promise<Row[]>,
  nameOf: (row: Row) => string,
): (name: string) => Promise<Row | undefined> {
  const find = async (names: string[]) => {
    const rows = new Map((await list(names)).map((row) => [nameOf(row), row]))
    return names.map((name) => rows.get(name))
  }
  // One alone does not wait for more.
  return batched(find, { ...HOT_BATCH, least: 1, mayRunAgain: () => false })
}

/** Opens the directory over `query`, which runs as the platform. */
export function createDirectory(query: Query, clock: Clock): Directory {
  let listening = false
  const freshMs = () => (listening ? FRESH_MS : FRESH_WITHOUT_NEWS_MS)
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
      return new Map(found.filter((one) => one !== undefined).map((one) => [one.id, one]))
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
      for (const one of [keys, workspaces, byCaptureToken, numbers, byOperatorId]) one.forget(workspaceId)
    },
    setListening: (now) => {
      listening = now
    },
  }
}
