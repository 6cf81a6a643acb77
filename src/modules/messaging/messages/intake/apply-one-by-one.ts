/**
 * Applies updates one by one after a batch failed as a whole, so that a fault affects only its own update
 * and, for a moment, later updates of the same customer. The failed update is their *holder*: it keeps its
 * place, and they wait until it is applied or has failed too often.
 */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { Database, Tx, Workspace } from '../../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../../core/due.ts'
import { storableText } from '../../../../core/values/storable.ts'
import { identifiersIn, listedIds } from '../../../../operator/identifiers.ts'
import { namesErasedPeople } from './operations/drop-erased.ts'
import {
  claimTurns,
  type DuePost,
  type DueUpdate,
  deleteUpdate,
  type Holder,
  holdUpdate,
  listDueUpdates,
  listErasing,
  listHolders,
  type Named,
  setBackUpdate,
} from './queries/due-updates.ts'
import { insertUpdates, type UnreadUpdate } from './queries/updates.ts'
import {
  applyParts,
  areOnlyAboutErased,
  type ParsedUpdate,
  type Part,
  parseUpdate,
  type Reading,
} from './read-updates.ts'

type Deps = Reading & {
  database: Database
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onError(error: unknown): void
}

const RETRY_SECONDS = [1, 5, 30, 120, 600, 3600]
/** An update that waits longer than this after a fault no longer delays the customer's later messages. */
const IN_PLACE_SECONDS = 5
/**
 * After this many attempts a customer's message is stored without offering it to takers, so that no fault in
 * an answer loses a message.
 */
const ANSWERED_TRIES = 3
/** Changes of one body that are applied in one transaction: as many as the operator sends. */
const MAX_PARTS = 1_000

/** The updates that hold back others, by workspace and sender. */
type Holders = Map<string, Holder>
const senderKey = (workspaceId: string, sender: string): string => `${workspaceId} ${sender}`
export const holdersBySender = (holders: Holder[]): Holders =>
  new Map(holders.map((holder) => [senderKey(holder.workspaceId, holder.sender), holder]))

/** Returns the earlier update that this one must wait for. */
export function holderOf({ row, parts }: ParsedUpdate, holders: Holders): Holder | undefined {
  if (holders.size === 0) return undefined
  for (const { workspaceId, sender } of parts) {
    const holder = sender === null ? undefined : holders.get(senderKey(workspaceId, sender))
    if (holder && holder.id < row.id) return holder
  }
  return undefined
}

/** Fields whose values may list thousands of items: each part gets a transaction. */
const LARGE_FIELDS = new Set(['history', 'smb_app_state_sync'])
/** The time between the parts of such a value, in which newer reports are applied. */
const PART_PAUSE_MS = 100

/** Returns whether a body has too many changes for one transaction. */
export const isTooMuch = ({ parts }: ParsedUpdate): boolean =>
  parts.length > MAX_PARTS || (parts.length > 1 && parts.some(({ body }) => LARGE_FIELDS.has(body.field)))

/** Spreads the parts of large values over time. */
const spread = (parts: Part[]): Part[] =>
  parts.map((part, i) =>
    LARGE_FIELDS.has(part.body.field) ? { ...part, runAt: later(part.runAt, i * PART_PAUSE_MS) } : part,
  )

/** Replaces a body by its changes. */
const split = ({ row, parts, rest }: ParsedUpdate, { database }: Deps): Promise<void> =>
  database.tenantIds([row.workspaceId], async (unit) => {
    if (!(await deleteUpdate(unit.tx, row))) return
    await insertUpdates(unit.tx.sql, spread(rest ? [...parts, rest] : parts))
  })

/** Returns the value of an update, or the text of a body that isn't in the operator's format. */
const contentOf = (row: DueUpdate | DuePost): unknown =>
  row.raw === null ? row.body.value : row.raw.toString('utf8')

const namesIn = ({ row, parts }: Pick<ParsedUpdate, 'row' | 'parts'>): Named => ({
  identifiers: identifiersIn(contentOf(row)),
  messageIds: parts.flatMap(({ body }) => listedIds(body.value)),
})

/** Puts an update back for another attempt, or sets it aside. Returns whether it was set aside. */
async function setBack(
  turns: Tx,
  { row, parts }: ParsedUpdate,
  error: unknown,
  { holders, now, workspace }: { holders: Holders; now: Date; workspace: Workspace | undefined },
): Promise<boolean> {
  // A body in another format than the operator's will never parse, so it is not retried.
  const seconds = error instanceof SyntaxError ? undefined : RETRY_SECONDS[row.attempts]
  const sender = parts[0]?.sender ?? null
  const runAt = later(now, (seconds ?? 0) * SECOND_MS)
  const isHolding = sender !== null && seconds !== undefined && seconds <= IN_PLACE_SECONDS
  await setBackUpdate(turns, row, {
    error: storableText(error instanceof Error ? error.message : String(error)),
    runAt,
    runOffsetMs: workspace ? runOffsetOf(workspace) : null,
    sender,
    holds: isHolding,
    failedAt: seconds === undefined ? now : null,
    ...namesIn({ row, parts }),
  })
  if (isHolding)
    holders.set(senderKey(row.workspaceId, sender), {
      workspaceId: row.workspaceId,
      sender,
      id: row.id,
      runAt,
    })
  else unblock(holders, { row, parts })
  return seconds === undefined
}

/** Lets the updates that waited for this one continue. */
export function unblock(holders: Holders, { row, parts }: ParsedUpdate): void {
  if (holders.size === 0) return
  for (const { sender } of parts) {
    const key = senderKey(row.workspaceId, sender ?? '')
    if (holders.get(key)?.id === row.id) holders.delete(key)
  }
}

/**
 * Applies due updates of workspaces that no other process works on, each in its own transaction. Returns how
 * many it processed, and the reports on which Parley does not act.
 */
export async function applyOneByOne(
  { of, due, limit }: { of: string[]; due: DueMoment; limit: number },
  deps: Deps,
): Promise<{ count: number; unread: UnreadUpdate[] }> {
  const workspaces = await deps.workspaces(of)
  // The workspace turns belong to this outer transaction, which otherwise only sets back and holds updates.
  return deps.database.system(async (turns) => {
    await claimTurns(turns, of)
    const rows = await listDueUpdates(turns, { due, limit })
    if (rows.length === 0) return { count: 0, unread: [] }
    const holders = holdersBySender(await listHolders(turns))
    const erasing = await listErasing(turns)
    const unread: UnreadUpdate[] = []
    const fail = async (parsed: ParsedUpdate, error: unknown): Promise<void> => {
      deps.onError(error)
      const isAside = await setBack(turns, parsed, error, {
        holders,
        now: deps.clock.now(),
        workspace: workspaces.get(parsed.row.workspaceId),
      })
      if (isAside && (await isAboutErased(parsed.row))) await deleteUpdate(turns, parsed.row)
    }
    /**
     * Returns whether the update names a customer who was erased during the attempt: then none of it is kept.
     */
    const isAboutErased = async (row: DueUpdate | DuePost): Promise<boolean> =>
      erasing.has(row.workspaceId) &&
      deps.database.tenantIds([row.workspaceId], (unit) =>
        namesErasedPeople(unit, { ...row, body: { field: '', value: contentOf(row) } }),
      )
    /** Workspaces for which new updates arrived meanwhile. */
    const over = new Set<string>()
    const splitAside = (parsed: ParsedUpdate): Promise<unknown> =>
      split(parsed, deps).then(
        () => over.add(parsed.row.workspaceId),
        (error: unknown) => fail({ row: parsed.row, parts: [] }, error),
      )
    const applyAlone = async (parsed: ParsedUpdate): Promise<void> => {
      const { row, parts, rest } = parsed
      const takers = row.attempts < ANSWERED_TRIES ? deps.takers : []
      try {
        await deps.database.tenantIds([row.workspaceId], async (unit) => {
          if (!(await deleteUpdate(unit.tx, row))) return
          if (rest) await insertUpdates(unit.tx.sql, [rest])
          unread.push(...(await applyParts(unit, parts, { workspaces, erasing }, { ...deps, takers })))
        })
        unblock(holders, parsed)
      } catch (error) {
        if (parts.length === 1 && !rest) await fail(parsed, error)
        else await splitAside(parsed)
      }
    }
    /** Lets the update wait for the earlier one, unless it repeats erased data: that is dropped. */
    const hold = async (parsed: ParsedUpdate, holder: Holder): Promise<void> => {
      const { row, parts } = parsed
      const isPassedOver =
        erasing.has(row.workspaceId) &&
        (await deps.database.tenantIds([row.workspaceId], (unit) =>
          areOnlyAboutErased(unit, parts, { workspaces, erasing }, deps),
        ))
      if (isPassedOver) await deleteUpdate(turns, row)
      else await holdUpdate(turns, row, holder, namesIn(parsed))
    }
    for (const row of rows) {
      if (over.has(row.workspaceId)) continue
      // Checks that the transaction with the turns is still alive: without it, no other update may be
      // applied.
      await turns.sql('select 1')
      const parsed = await parseUpdate(row, due, deps).catch((error: unknown) =>
        fail({ row, parts: [] }, error),
      )
      if (!parsed) continue
      const senders = new Set(parsed.parts.map(({ sender }) => sender))
      const holder = holderOf(parsed, holders)
      if (holder && senders.size === 1)
        await hold(parsed, holder).catch((error: unknown) => fail(parsed, error))
      else if (holder || isTooMuch(parsed)) await splitAside(parsed)
      else await applyAlone(parsed)
    }
    return { count: rows.length, unread }
  })
}
