/**
 * Finds the cell of a request: this one looks in its own tables, and asks the others over HTTP. Nothing about where a workspace is
 * is stored twice, so it cannot be wrong (docs/decisions/cells.md).
 */
import { request } from 'undici'
import type { Clock } from '../core/clock.ts'
import type { Database, Query } from '../core/context.ts'
import { refuse } from '../core/errors.ts'
import { DEFAULT_CELL } from '../core/values/cell.ts'
import { type CellDirectory, readCellDirectory } from '../database/cell-directory.ts'
import {
  CELL_SECRET_HEADER,
  type CellRoutesOptions,
  LOCATE_PATH,
  type RoutedCell,
} from '../http/cells/cell-routes.ts'
import type { Destination, Locator, LocatorKind } from '../http/cells/locator.ts'
import type { PublicPage } from '../http/files/public-pages.ts'
import { FORWARDED_HEADER } from '../http/oauth/oauth-routes.ts'
import { throttleCheck } from '../http/server/health.ts'
import { findIntegrationByToken } from '../modules/automating/integrations/queries/integrations.ts'
import { isMemberEmail } from '../modules/platform/access/queries/accounts.ts'
import { isKnownToken } from '../modules/platform/access/queries/tokens.ts'
import type { SessionDirectory } from '../modules/platform/access/session-directory.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import { findMoveOf } from '../modules/platform/workspaces/queries/moves.ts'
import { rememberLookups } from '../modules/platform/workspaces/remembered.ts'

/** How long a process remembers the directory, and where something was found: a moved workspace is found again after it. */
const FRESH_MS = 5_000
const ASK_LIMIT_MS = 2_000
const FORWARD_LIMIT_MS = 10_000
const MAX_REMEMBERED = 50_000

export type CellParts = {
  /** The cell of this process. */
  cell: string
  clock: Clock
  database: Pick<Database, 'query'>
  /** Reads the directory's database, if it is another one. */
  directoryQuery: Query
  directory: Directory
  sessions: SessionDirectory
  pages: PublicPage[]
  onError(error: unknown): void
}

/** Looks a value up in this cell's own tables. Returns the id of its workspace, true for an account, or undefined. */
type LookUp = (value: string) => Promise<string | true | undefined>

const hexBytes = (value: string): Buffer => Buffer.from(value, 'hex')

function lookUpsOf({ database, directory, sessions, pages }: CellParts): Record<LocatorKind, LookUp> {
  const { query } = database
  return {
    key: async (value) => (await directory.key(hexBytes(value), () => true))?.workspace.id,
    workspace: async (value) => (await directory.workspace(value))?.id,
    session: async (value) => ((await sessions.session(hexBytes(value))) ? true : undefined),
    capture: async (value) => (await directory.workspaceByCaptureToken(value))?.id,
    shop: async (value) => (await findIntegrationByToken(query, value))?.workspaceId,
    page: async (value) => {
      const [name, token = ''] = value.split('/')
      return pages.find((page) => page.name === name)?.findWorkspace(token)
    },
    link: async (value) => ((await isKnownToken(query, hexBytes(value))) ? true : undefined),
    email: async (value) => ((await isMemberEmail(query, value)) ? true : undefined),
  }
}

/** Asks another cell. A cell that does not answer knows nothing now. */
async function askCell({ address }: RoutedCell, locator: Locator, secret: string): Promise<string | null> {
  const { statusCode, body } = await request(`${address.replace(/\/$/, '')}${LOCATE_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [CELL_SECRET_HEADER]: secret },
    body: JSON.stringify(locator),
    signal: AbortSignal.timeout(ASK_LIMIT_MS),
  })
  if (statusCode !== 200) {
    await body.dump()
    throw new Error(`The cell at ${address} answered ${statusCode} to a question of another cell.`)
  }
  return ((await body.json()) as { cell: string | null }).cell
}

/** Posts the form of an app to another cell, and returns its answer. */
export async function postForm(
  { address }: RoutedCell,
  path: string,
  form: string,
): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(`${address.replace(/\/$/, '')}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', [FORWARDED_HEADER]: '1' },
    body: form,
    signal: AbortSignal.timeout(FORWARD_LIMIT_MS),
  }).catch(() =>
    refuse('service_unavailable', 'The cell of this workspace does not answer. Try again shortly.', {
      retryAfterSeconds: 1,
    }),
  )
  return { status: statusCode, text: await body.text() }
}

/** Builds what the routes of cells need. */
export function findCells(parts: CellParts): Omit<CellRoutesOptions, 'pageNames' | 'sessionIn'> {
  const { cell: ownCell, clock, directoryQuery, onError } = parts
  const lookUps = lookUpsOf(parts)
  const readDirectory = throttleCheck<CellDirectory | undefined>(clock, FRESH_MS, () =>
    readCellDirectory(directoryQuery),
  )
  const found = rememberLookups<string | undefined>(
    clock,
    () => FRESH_MS,
    (_, cell) => cell,
    MAX_REMEMBERED,
  )

  const locate = async ({ kind, value }: Locator): Promise<string | null> => {
    const owner = await lookUps[kind](value)
    if (owner === undefined) return null
    const move = owner === true ? undefined : await findMoveOf(parts.database.query, owner)
    // A workspace that arrives still lives in the other cell.
    return move?.isArriving ? null : (move?.newCell ?? ownCell)
  }

  const ask = async (cell: RoutedCell, locator: Locator, secret: string): Promise<string | undefined> => {
    if (cell.name === ownCell) return (await locate(locator)) ?? undefined
    try {
      return (await askCell(cell, locator, secret)) ?? undefined
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  /** Asks the likely cell first, and then all others together. */
  async function search(
    { cells, secret }: CellDirectory,
    locator: Locator,
    likely: string,
  ): Promise<string | undefined> {
    const first = cells.find(({ name }) => name === likely)
    const answer = first && (await ask(first, locator, secret))
    if (answer !== undefined) return answer
    const others = cells.filter((cell) => cell !== first)
    const answers = await Promise.all(others.map((cell) => ask(cell, locator, secret)))
    return answers.find((name) => name !== undefined)
  }

  return {
    locate,
    onError,
    secret: async () => (await readDirectory())?.secret,
    findCell: async ({ locator, cell }: Destination) => {
      const directory = await readDirectory()
      if (!directory || directory.cells.length === 0) return undefined
      const likely = cell ?? ownCell
      const name =
        locator &&
        (await found.get(`${locator.kind} ${locator.value}`, () => search(directory, locator, likely)))
      const byName = (cellName: string | undefined) => directory.cells.find((each) => each.name === cellName)
      // An unknown value gets its refusal from the cell that it names, or from any.
      return byName(name) ?? byName(cell) ?? byName(DEFAULT_CELL) ?? directory.cells[0]
    },
  }
}
