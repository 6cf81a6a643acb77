/** Loads a workspace from the file of another installation (docs/decisions/workspace-moves.md). */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import { createSealer } from '../../core/sealing.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { writeChecked } from '../backup/checked-file.ts'
import { rowAdapter } from './adapt-rows.ts'
import { type CopyContext, inLoading, writeAll } from './copy-rows.ts'
import { type Frame, readFrames } from './frames.ts'
import { matchAccounts, resealAccount } from './match-accounts.ts'
import { fileAsCounterpart, findMoveById } from './move-rows.ts'
import { listMovedTables, type MovedTable, WORKSPACES } from './moved-tables.ts'
import { requireRoom } from './open-move.ts'
import { waitForEarlier } from './pause.ts'
import { clearTarget } from './rounds.ts'
import { requireKey, requireLoadingRight, requireSameVersion } from './side-checks.ts'
import { openSide, readMigrations, type Side, takeMoveLock } from './sides.ts'
import { arrive, beginArrival, inTransaction, type WorkspaceRow } from './switch.ts'
import { forgetCanceled, undoLoad } from './undo-load.ts'
import { withFreshSide } from './undo-move.ts'
import { accountFromJson, type Header, type Part, readHeader, requireFileKey } from './workspace-file.ts'

export type LoadOptions = {
  target: { url: string; secretKey: string }
  store: MediaStore
  path: string
  fileKey: string
  clock: Clock
  say(line: string): void
}

export type Loaded = {
  workspaceId: string
  name: string
  rows: number
  files: number
  accountsCreated: number
  invite: string[]
}

/**
 * Checks a file, and loads it. The workspace is fenced meanwhile, and lives here from the last commit on. A load that was
 * interrupted starts from the beginning when it runs again.
 */
export async function loadWorkspace(options: LoadOptions): Promise<Loaded> {
  const target = await openSide(options.target.url, options.target.secretKey)
  try {
    const header = await checkFile(options, target)
    await takeMoveLock(target, header.workspaceId)
    await requireRoom(target, header.workspaceId, 'This installation')
    await requireUnused(target, header)
    return await loadChecked(options, target, header)
  } finally {
    await target.close()
  }
}

/** Reads the whole file once, so that nothing is loaded of a damaged one. */
async function checkFile(
  { path, fileKey, target: { secretKey } }: LoadOptions,
  target: Side,
): Promise<Header> {
  let header: Header | undefined
  for await (const item of readFrames(path)) header ??= readHeader(path, item)
  const found = header!
  await requireSameVersion(found.migrations, await readMigrations(target), {
    source: 'the installation of the file',
    target: 'This installation',
  })
  await requireLoadingRight(target)
  await requireKey(target, secretKey, 'The secret key of this installation')
  requireFileKey(found, fileKey)
  return found
}

/** Throws if this file was loaded here. Its workspace may have moved on and changed since. */
async function requireUnused({ client }: Side, { moveId }: Header): Promise<void> {
  const known = await findMoveById(client, { id: moveId, direction: 'in' })
  if (known?.phase === 'live') throw new Error('This file was loaded here before. Nothing was changed.')
}

async function loadChecked(options: LoadOptions, target: Side, header: Header): Promise<Loaded> {
  const move = { id: header.moveId, workspaceId: header.workspaceId }
  try {
    return await loadFenced(options, target, header)
  } catch (error) {
    await withFreshSide(options.target, (side) => undoLoad(side, move, options.clock)).catch(() =>
      options.say(
        'Rows of the workspace may be left. Run the same command again, or with --cancel and the id.',
      ),
    )
    throw error
  }
}

async function loadFenced({ clock, ...options }: LoadOptions, target: Side, header: Header): Promise<Loaded> {
  const { client } = target
  const tables = await listMovedTables(client)
  const { moveId: id, workspaceId } = header
  const arrival = {
    workspaces: tables.find(({ name }) => name === WORKSPACES)!,
    row: header.row as WorkspaceRow,
  }
  await forgetCanceled(client, { id })
  const counterpart = fileAsCounterpart(options.path)
  await beginArrival(client, {
    ...arrival,
    move: {
      id,
      workspaceId,
      direction: 'in',
      phase: 'loading',
      counterpart,
      movedTo: null,
      sharesFiles: false,
    },
    now: clock.now(),
  })
  await waitForEarlier(client, clock)
  await clearTarget(client, tables, workspaceId)
  for (const { log, day } of header.logDays)
    await client.query('select make_log_day($1, $2::date)', [log, day])
  const sealers = { from: createSealer(options.fileKey), to: target.sealer }
  const loaded = await loadParts(options, { client, tables, sealers, header })
  await inLoading(client, () => arrive(client, { ...arrival, move: { id, workspaceId }, now: clock.now() }))
  return { workspaceId, name: header.name, ...loaded }
}

type Loading = {
  client: pg.Client
  tables: readonly MovedTable[]
  sealers: { from: Side['sealer']; to: Side['sealer'] }
  header: Header
}

async function loadParts(
  options: Pick<LoadOptions, 'path' | 'store'>,
  { client, tables, sealers, header }: Loading,
): Promise<Pick<Loaded, 'rows' | 'files' | 'accountsCreated' | 'invite'>> {
  const counts = { rows: 0, files: 0, accountsCreated: 0, invite: [] as string[] }
  const frames = readFrames(options.path)
  const accounts = new Map<string, string>()
  await frames.next()
  for (let item = await frames.next(); !item.done; item = await frames.next()) {
    const part = (item.value as { value: Part }).value
    if (part.part === 'accounts') {
      const moved = part.accounts
        .map(accountFromJson)
        .map((account) => resealAccount(account, sealers.from, sealers.to))
      const matched = await inTransaction(client, () => matchAccounts(client, moved))
      for (const [id, targetId] of matched.accounts) accounts.set(id, targetId)
      counts.accountsCreated = matched.created
      counts.invite = matched.unmatched
    } else if (part.part === 'table') {
      const table = tables.find(({ name }) => name === part.name)!
      const context = { target: client, adapt: rowAdapter(accounts, sealers) }
      counts.rows += await loadTable(context, table, frames)
    } else if (part.part === 'file') {
      await loadFile(options, header.workspaceId, part, frames)
      counts.files++
    }
  }
  return counts
}

async function loadTable(
  context: Pick<CopyContext, 'target' | 'adapt'>,
  table: MovedTable,
  frames: AsyncGenerator<Frame>,
): Promise<number> {
  let expected = 0
  async function* rows(): AsyncGenerator<Buffer> {
    for (let item = await frames.next(); !item.done; item = await frames.next()) {
      if (item.value.type === 'bytes') yield item.value.bytes
      else {
        expected = (item.value.value as { rows: number }).rows
        return
      }
    }
  }
  const loaded = await writeAll(context, table, rows())
  if (loaded !== expected)
    throw new Error(`${table.name} has ${loaded} rows instead of ${expected}. Nothing was loaded.`)
  return loaded
}

async function loadFile(
  { store }: Pick<LoadOptions, 'store'>,
  workspaceId: string,
  { id, mimeType, bytes }: Extract<Part, { part: 'file' }>,
  frames: AsyncGenerator<Frame>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-move-'))
  try {
    let left = bytes
    async function* content(): AsyncGenerator<Buffer> {
      while (left > 0) {
        const item = await frames.next()
        if (item.done || item.value.type !== 'bytes')
          throw new Error('The file ends early. Nothing was loaded.')
        left -= item.value.bytes.length
        yield item.value.bytes
      }
    }
    const path = join(folder, id)
    await writeChecked(path, Readable.from(content(), { objectMode: false }))
    const stream = () => createReadStream(path)
    await store.put(keyOf(workspaceId, id), { stream, pieces: stream, sizeBytes: bytes, mimeType })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
