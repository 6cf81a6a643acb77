/** Finishes moves after the switch: erases the rows that stayed behind. */
import { type Clock, later } from '../../core/clock.ts'
import type { Destination } from '../../core/moving.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { eraseRound } from '../erase/erase-workspace.ts'
import { tablesToErase } from '../erase/tenant-rows.ts'
import { type Move, requireUnfinished, setPhase } from './move-rows.ts'
import { type Side, takeMoveLock, withSide } from './sides.ts'
import { inTransaction, leave } from './switch.ts'

export type FinishOptions = {
  workspaceId: string
  source: { url: string; secretKey: string }
  /** The address to which a written file was moved; null if none was given. */
  address: string | null
  /** Milliseconds for which the source keeps its rows; undefined: as decided by the move. */
  keepMs: number | undefined
  store: MediaStore
  clock: Clock
}

export type Finished = {
  workspaceId: string
  movedTo: Destination | null
  erased: boolean
  eraseAfter: Date | null
}

/**
 * Erases the rows of a workspace that has moved, after their time. The workspace's name, its keys, and its new address stay, so
 * that requests still get `workspace_moved`. For a written file, it first records that the workspace has moved.
 */
export const finishMove = (options: FinishOptions): Promise<Finished> =>
  withSide(options.source, async (source) => {
    const { workspaceId, clock, keepMs } = options
    await takeMoveLock(source, workspaceId)
    const move = await requireUnfinished(source.client, workspaceId)
    if (move.phase === 'written') return recordMoved(source, move, options)
    if (move.phase !== 'moved')
      throw new Error('The workspace has not moved yet. Run the command without --finish.')
    const now = clock.now()
    const due = keepMs === undefined ? move.eraseAfter! : later(now, keepMs)
    if (due > now)
      throw new Error(`The rows are kept until ${due.toISOString()}. To erase them now, add --keep 0d.`)
    await eraseRest(source, move, options)
    await setPhase(source.client, move, { from: ['moved'], to: 'erased', now })
    return { workspaceId, movedTo: move.movedTo, erased: true, eraseAfter: null }
  })

const DEFAULT_KEEP_MS = 7 * 24 * 60 * 60 * 1000

async function recordMoved(
  source: Side,
  move: Move,
  { address, keepMs = DEFAULT_KEEP_MS, clock, workspaceId }: FinishOptions,
): Promise<Finished> {
  if (address === null) throw new Error('Give the public address of the new installation with --to-address.')
  const now = clock.now()
  const movedTo = { cell: new URL(address).host, address, local: false }
  const eraseAfter = later(now, keepMs)
  await inTransaction(source.client, () => leave(source.client, move, { movedTo, eraseAfter, now }))
  return { workspaceId, movedTo, erased: false, eraseAfter }
}

/** Tables whose rows stay, with the row of the workspace: the keys lead to the new address. */
const TOMBSTONE = ['api_keys']

async function eraseRest(source: Side, move: Move, { store, clock }: FinishOptions): Promise<void> {
  const { client } = source
  const { workspaceId } = move
  const kept = await client.query<{ count: number }>(
    'select count(*)::int as count from kept_callbacks where workspace_id = $1 and failed_at is null',
    [workspaceId],
  )
  if (kept.rows[0]!.count > 0)
    throw new Error(
      `${kept.rows[0]!.count} callbacks still wait to be passed on to the new cell. Run the command again later.`,
    )
  // Nested loops only, so that a list of ids doesn't read the rest of a large table.
  await client.query('set enable_hashjoin = off; set enable_mergejoin = off')
  await client.query(
    `insert into erasures (erased_workspace_id, requested_by, started_at) values ($1, 'workspace move', $2)
     on conflict do nothing`,
    [workspaceId, clock.now()],
  )
  const tables = (await tablesToErase(client)).filter((table) => !TOMBSTONE.includes(table))
  const files = move.sharesFiles ? keepingFiles(store) : store
  while ((await eraseRound(client, tables, workspaceId, files)) > 0);
  await client.query('delete from erasures where erased_workspace_id = $1', [workspaceId])
}

/** The new cell uses the same files. */
const keepingFiles = (store: MediaStore): MediaStore => ({
  put: store.put,
  open: store.open,
  check: store.check,
  close: store.close,
  delete: async () => {},
})
