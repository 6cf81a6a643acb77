/** Writes a workspace to a file, with which it moves to another installation (docs/decisions/workspace-moves.md). */
import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { createSealer } from '../../core/sealing.ts'
import { copyOut } from '../../database/copy.ts'
import { quoted } from '../../database/stored-tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { writeChecked } from '../backup/checked-file.ts'
import { storedFiles } from '../backup/files.ts'
import { rowAdapter } from './adapt-rows.ts'
import { ARRIVED } from './copy-rows.ts'
import { ofWorkspace } from './digests.ts'
import { type Frame, writeFrames } from './frames.ts'
import { readAccounts, resealAccount } from './match-accounts.ts'
import { fileAsCounterpart, findMove, insertMove, type Move, setPhase } from './move-rows.ts'
import { columnList, listMovedTables, type MovedTable, sealedColumns, WORKSPACES } from './moved-tables.ts'
import { drain, waitForEarlier } from './pause.ts'
import { requireKey, requireNewProcesses } from './side-checks.ts'
import { openSide, readMigrations, type Side, takeMoveLock } from './sides.ts'
import { fence, readWorkspaceRow, resume } from './switch.ts'
import { accountToJson, FORMAT, type Header, partFrame } from './workspace-file.ts'

export type WriteOptions = {
  workspaceId: string
  source: { url: string; secretKey: string }
  store: MediaStore
  path: string
  clock: Clock
  say(line: string): void
}

export type Written = { workspaceId: string; file: string; fileKey: string; rows: number; files: number }

/** Pauses the workspace, and writes it to a file. It stays paused until the move is finished or canceled. */
export async function writeWorkspace(options: WriteOptions): Promise<Written> {
  const { workspaceId, source: place, path, clock } = options
  const source = await openSide(place.url, place.secretKey)
  try {
    await takeMoveLock(source, workspaceId)
    const row = await readWorkspaceRow(source.client, workspaceId)
    if (!row) throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
    if (row.moved_to) throw new Error('The workspace moved to another cell.')
    await requireKey(source, place.secretKey, 'The secret key of this installation')
    await requireNewProcesses(source)
    if (existsSync(path)) throw new Error(`${path} exists. Give a new file, so that nothing is overwritten.`)
    const move = await openFileMove(source, options)
    try {
      await pause(source, move, options)
      const fileKey = randomBytes(32).toString('base64url')
      const counts = { rows: 0, files: 0 }
      await writeFrames(path, framesOf({ source, options, move, fileKey, counts }))
      await setPhase(source.client, move, { from: ['fenced'], to: 'written', now: clock.now() })
      return { workspaceId, file: path, fileKey, ...counts }
    } catch (error) {
      await rm(path, { force: true })
      await resume(source.client, move, {
        from: ['copying', 'paused', 'fenced'],
        to: 'canceled',
        now: clock.now(),
      })
      throw error
    }
  } finally {
    await source.close()
  }
}

async function openFileMove(source: Side, { workspaceId, path, clock }: WriteOptions): Promise<Move> {
  const known = await findMove(source.client, workspaceId, 'out')
  if (known && !['moved', 'erased', 'canceled'].includes(known.phase))
    throw new Error(
      `A move to ${known.counterpart} has begun. Finish it with the same flags, or cancel it with --cancel.`,
    )
  const move = {
    id: newId(),
    direction: 'out' as const,
    workspaceId,
    phase: 'copying' as const,
    counterpart: fileAsCounterpart(path),
    movedTo: null,
    sharesFiles: false,
  }
  await insertMove(source.client, move, clock.now())
  return { ...move, copiedTo: null, eraseAfter: null, fencedAt: null }
}

async function pause(source: Side, move: Move, { workspaceId, clock, say }: WriteOptions): Promise<void> {
  say('Waiting for work under way.')
  await setPhase(source.client, move, { from: ['copying'], to: 'paused', now: clock.now() })
  await drain(source.client, workspaceId, clock)
  await fence(source.client, move, clock)
  await waitForEarlier(source.client, clock)
}

type Writing = {
  source: Side
  options: WriteOptions
  move: Move
  fileKey: string
  counts: { rows: number; files: number }
}

async function* framesOf({ source, options, move, fileKey, counts }: Writing): AsyncGenerator<Frame> {
  const { client } = source
  const { workspaceId, clock } = options
  const fileSealer = createSealer(fileKey)
  await client.query('begin isolation level repeatable read')
  try {
    const row = (await readWorkspaceRow(client, workspaceId))!
    const header: Header = {
      format: FORMAT,
      moveId: move.id,
      workspaceId,
      name: String(row.name),
      takenAt: clock.now().toISOString(),
      migrations: await readMigrations(source),
      logDays: await listLogDays(client, workspaceId),
      row,
      proof: fileSealer.seal(FORMAT).toString('base64'),
    }
    yield { type: 'json', value: header }
    const accounts = await readAccounts(client, workspaceId)
    const sealed = accounts.map((account) => resealAccount(account, source.sealer, fileSealer))
    yield partFrame({ part: 'accounts', accounts: sealed.map(accountToJson) })
    const sealers = { from: source.sealer, to: fileSealer }
    for (const table of await listMovedTables(client))
      if (table.name !== WORKSPACES)
        counts.rows += yield* tableFrames(client, table, { workspaceId, sealers })
    counts.files = yield* fileFrames(client, options)
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

async function* tableFrames(
  client: pg.Client,
  table: MovedTable,
  { workspaceId, sealers }: { workspaceId: string; sealers: { from: Side['sealer']; to: Side['sealer'] } },
): AsyncGenerator<Frame, number> {
  const columns = columnList(table.columns, 't.')
  const rowsOf = `select ${columns} from ${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)}`
  const isSealed = sealedColumns(table.name).length > 0 || table.name === 'idempotency_keys'
  let copied = `(${rowsOf})`
  if (isSealed) {
    await client.query(`create temp table ${ARRIVED} on commit drop as ${rowsOf}`)
    await rowAdapter(new Map(), sealers)(client, table)
    copied = `(select * from ${ARRIVED})`
  }
  yield partFrame({ part: 'table', name: table.name, columns: table.columns })
  const { bytes, rows } = copyOut(client, `copy ${copied} to stdout`)
  for await (const chunk of bytes as AsyncIterable<Buffer>) yield { type: 'bytes', bytes: chunk }
  yield partFrame({ part: 'rows', rows: rows() })
  if (isSealed) await client.query(`drop table ${ARRIVED}`)
  return rows()
}

async function* fileFrames(
  client: pg.Client,
  { workspaceId, store }: Pick<WriteOptions, 'workspaceId' | 'store'>,
): AsyncGenerator<Frame, number> {
  let count = 0
  const folder = await mkdtemp(join(tmpdir(), 'parley-move-'))
  try {
    for await (const { id, mimeType } of storedFiles(client, workspaceId)) {
      const opened = await store.open(keyOf(workspaceId, id))
      if (opened === undefined) continue
      const path = join(folder, id)
      const { bytes } = await writeChecked(path, opened)
      yield partFrame({ part: 'file', id, mimeType, bytes })
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
        yield { type: 'bytes', bytes: chunk }
      await rm(path)
      count++
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return count
}

async function listLogDays(client: pg.Client, workspaceId: string): Promise<Header['logDays']> {
  const days: Header['logDays'] = []
  for (const log of ['deliveries', 'events'] as const) {
    const { rows } = await client.query<{ day: string }>(
      `select distinct right(tableoid::regclass::text, 8) as day from ${log}
       where workspace_id = $1 and tableoid::regclass::text ~ '_[0-9]{8}$' order by 1`,
      [workspaceId],
    )
    days.push(...rows.map(({ day }) => ({ log, day })))
  }
  return days
}
