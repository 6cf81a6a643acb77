/**
 * Moves a workspace from one cell to another while it runs (docs/decisions/workspace-moves.md): copy, catch up, pause, copy the
 * rest, switch. A command that was interrupted continues when it runs again.
 */
import { later, systemClock } from '../../core/clock.ts'
import { WITHOUT_TRIGGERS } from './copy-rows.ts'
import { copyNewFiles } from './move-files.ts'
import { findMoveById, setCopiedTo, setPhase } from './move-rows.ts'
import { type MovedTable, WORKSPACES } from './moved-tables.ts'
import { type MoveOptions, type MoveResult, type Moving, openMoving, resultOf } from './moving.ts'
import { openMove, requireReady } from './open-move.ts'
import { drain, waitForEarlier } from './pause.ts'
import { clearTarget } from './rounds.ts'
import { listTables } from './side-checks.ts'
import { isSameDatabase, type Side, takeMoveLock, withSide } from './sides.ts'
import {
  arrive,
  beginArrival,
  fence,
  inTransaction,
  leave,
  readWorkspaceRow,
  resume,
  switchTogether,
} from './switch.ts'
import { undoMove } from './undo-move.ts'

/** A round before the pause that takes less than this is short enough. */
const SHORT_ROUND_MS = 3_000
const MAX_ROUNDS = 6

/** Moves the workspace, and returns when it lives in the new cell. */
export const moveWorkspace = (options: MoveOptions): Promise<MoveResult> =>
  withSide(options.source, (source) =>
    withSide(options.target, (target) => moveBetween(options, source, target)),
  )

async function moveBetween(options: MoveOptions, source: Side, target: Side): Promise<MoveResult> {
  const { workspaceId } = options
  const clock = options.clock ?? systemClock
  await takeMoveLock(source, workspaceId)
  const local = await isSameDatabase(source, target)
  if (local && source.cell === target.cell) throw new Error('The workspace already lives in this cell.')
  const destination = { cell: target.cell, address: options.target.address, local }
  if (!local && destination.address === null)
    throw new Error("Give the public address of the new cell's processes with --to-address.")
  await requireReady(options, source, target)
  const tables = await listTables(source, target)
  const move = await openMove({ options, clock, source, target, destination })
  const moving = openMoving({ options, clock, source, target, move, tables, destination })
  if (move.phase === 'moved') return resultOf(moving, 0, move.eraseAfter!)
  try {
    return await continueMove(moving)
  } catch (error) {
    await undoMove(moving, error)
    throw error
  }
}

async function continueMove(moving: Moving): Promise<MoveResult> {
  const { source, target, move, clock } = moving
  if (move.phase === 'switching') {
    const arrived = await findMoveById(target.client, { id: move.id, direction: 'in' })
    if (arrived?.phase === 'live') return finishSwitch(moving, 0)
    await setPhase(source.client, move, { from: ['switching'], to: 'fenced', now: clock.now() })
    move.phase = 'fenced'
  }
  const base = move.copiedTo ?? (await copyBase(moving))
  if (move.phase === 'fenced') return copyRestAndSwitch(moving, base)
  if (move.phase === 'paused') {
    const now = clock.now()
    await resume(source.client, move, { from: ['paused'], to: 'copying', now })
    move.phase = 'copying'
  }
  return pauseAndSwitch(moving, await catchUp(moving, base))
}

/** Copies everything. The new cell keeps the workspace fenced until the switch. */
async function copyBase(moving: Moving): Promise<string> {
  const { options, source, target, move, tables, rounds, clock } = moving
  await fenceTarget(moving)
  await waitForEarlier(target.client, clock)
  await clearTarget(target.client, tables, options.workspaceId)
  options.say('Copying the workspace while it runs.')
  const copiedTo = await rounds.first()
  await setCopiedTo(source.client, move, copiedTo)
  return copiedTo
}

async function fenceTarget({ options, clock, source, target, move, tables }: Moving): Promise<void> {
  const row = await readWorkspaceRow(source.client, options.workspaceId)
  await beginArrival(target.client, {
    move: { ...move, counterpart: `the cell ${source.cell}` },
    workspaces: workspacesTable(tables),
    row: row!,
    now: clock.now(),
  })
}

const workspacesTable = (tables: readonly MovedTable[]): MovedTable =>
  tables.find(({ name }) => name === WORKSPACES)!

/** Copies the changes until little is left, and compares all values once. */
async function catchUp(moving: Moving, base: string): Promise<string> {
  let copiedTo = base
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const startedMs = moving.clock.monotonicMs()
    copiedTo = await copyRound(moving, copiedTo, { content: round === 1 })
    if (round > 1 && moving.clock.monotonicMs() - startedMs < SHORT_ROUND_MS) break
  }
  return copiedTo
}

async function copyRound(
  { options, source, move, rounds, copiedFiles }: Moving,
  since: string,
  { content }: { content: boolean },
): Promise<string> {
  const copiedTo = await rounds.next(since, { content })
  if (options.files) await copyNewFiles(source.client, options.files, options.workspaceId, copiedFiles)
  await setCopiedTo(source.client, move, copiedTo)
  return copiedTo
}

async function pauseAndSwitch(moving: Moving, copiedTo: string): Promise<MoveResult> {
  const { options, source, move, clock } = moving
  options.say('Waiting for work under way.')
  await setPhase(source.client, move, { from: ['copying'], to: 'paused', now: clock.now() })
  move.phase = 'paused'
  await drain(source.client, options.workspaceId, clock)
  const drained = await copyRound(moving, copiedTo, { content: false })
  options.say('Pausing the workspace.')
  await fence(source.client, move, clock)
  move.phase = 'fenced'
  return copyRestAndSwitch(moving, drained)
}

async function copyRestAndSwitch(moving: Moving, copiedTo: string): Promise<MoveResult> {
  const { source, target, move, clock, options, tables, destination } = moving
  const pausedAtMs = clock.monotonicMs()
  await waitForEarlier(source.client, clock)
  await copyRound(moving, copiedTo, { content: false })
  await setPhase(source.client, move, { from: ['fenced'], to: 'switching', now: clock.now() })
  move.phase = 'switching'
  const row = await readWorkspaceRow(source.client, options.workspaceId)
  const now = clock.now()
  const arrival = { move, workspaces: workspacesTable(tables), row: row!, now }
  if (destination.local) {
    const eraseAfter = later(now, options.keepMs)
    const leaving = { move, movedTo: destination, eraseAfter, now }
    await switchTogether(source.client, { ...arrival, cell: target.cell }, leaving)
    move.phase = 'moved'
    return resultOf(moving, clock.monotonicMs() - pausedAtMs, eraseAfter)
  }
  // From this commit on, the workspace lives in the new cell.
  await inTransaction(target.client, async () => {
    await target.client.query(WITHOUT_TRIGGERS)
    await arrive(target.client, arrival)
  })
  return finishSwitch(moving, clock.monotonicMs() - pausedAtMs)
}

/** Records at the source that the workspace lives in the new cell. */
async function finishSwitch(moving: Moving, pausedMs: number): Promise<MoveResult> {
  const { source, move, clock, options, destination } = moving
  const now = clock.now()
  const eraseAfter = later(now, options.keepMs)
  await inTransaction(source.client, () =>
    leave(source.client, move, { movedTo: destination, eraseAfter, now }),
  )
  move.phase = 'moved'
  return resultOf(moving, pausedMs, eraseAfter)
}
