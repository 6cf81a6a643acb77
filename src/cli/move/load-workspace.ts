/** Loads a workspace from the file of another installation (docs/decisions/workspace-moves.md). */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { Clock } from '../../core/clock.ts'
import { createSealer } from '../../core/sealing.ts'
import { copyIn } from '../../database/copy.ts'
import { quoted } from '../../database/stored-tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { writeChecked } from '../backup/checked-file.ts'
import { rowAdapter } from './adapt-rows.ts'
import { ARRIVED, insertArrived, makeArrived, WITHOUT_TRIGGERS } from './copy-rows.ts'
import { ofWorkspace } from './digests.ts'
import { type Frame, readFrames } from './frames.ts'
import { matchAccounts, resealAccount } from './match-accounts.ts'
import { insertMove } from './move-rows.ts'
import { columnList, listMovedTables, type MovedTable, WORKSPACES } from './moved-tables.ts'
import { requireKey, requireLoadingRight, requireSameVersion } from './side-checks.ts'
import { openSide, readMigrations, type Side } from './sides.ts'
import { arrive, insertFenced, type WorkspaceRow } from './switch.ts'
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

/** Checks a file, and loads it in one transaction. From its commit on, the workspace lives here. */
export async function loadWorkspace(options: LoadOptions): Promise<Loaded> {
  const target = await openSide(options.target.url, options.target.secretKey)
  try {
    const header = await checkFile(options, target)
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
  const existing = await target.client.query<{ left: boolean }>(
    'select moved_to is not null as left from workspaces where id = $1',
    [found.workspaceId],
  )
  if (existing.rows[0] && !existing.rows[0].left)
    throw new Error('This installation already has a workspace with this id. Nothing was loaded.')
  return found
}

async function loadChecked(options: LoadOptions, target: Side, header: Header): Promise<Loaded> {
  const { client } = target
  const { clock } = options
  const tables = new Map((await listMovedTables(client)).map((table) => [table.name, table]))
  const sealers = { from: createSealer(options.fileKey), to: target.sealer }
  const { workspaceId, moveId: id } = header
  for (const { log, day } of header.logDays)
    await client.query('select make_log_day($1, $2::date)', [log, day])
  await client.query('begin')
  try {
    await client.query(WITHOUT_TRIGGERS)
    await deleteTombstone(client, workspaceId)
    const move = {
      id,
      workspaceId,
      counterpart: `the file ${options.path}`,
      movedTo: null,
      sharesFiles: false,
    }
    await insertMove(client, { ...move, direction: 'in', phase: 'loading' }, clock.now())
    await insertFenced(client, tables.get(WORKSPACES)!, header.row as WorkspaceRow, clock.now())
    const loaded = await loadParts(options, { client, tables, sealers, header })
    await arrive(client, {
      move: { id, workspaceId },
      workspaces: tables.get(WORKSPACES)!,
      row: header.row as WorkspaceRow,
      now: clock.now(),
    })
    await client.query('commit')
    return { workspaceId, name: header.name, ...loaded }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Deletes what an earlier move from this installation left of the workspace. */
async function deleteTombstone(client: pg.Client, workspaceId: string): Promise<void> {
  for (const table of await listMovedTables(client))
    await client.query(`delete from ${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)}`)
}

type Loading = {
  client: pg.Client
  tables: Map<string, MovedTable>
  sealers: { from: Side['sealer']; to: Side['sealer'] }
  header: Header
}

async function loadParts(
  options: LoadOptions,
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
      const matched = await matchAccounts(client, moved)
      for (const [id, targetId] of matched.accounts) accounts.set(id, targetId)
      counts.accountsCreated = matched.created
      counts.invite = matched.unmatched
    } else if (part.part === 'table') {
      const table = tables.get(part.name)!
      counts.rows += await loadTable(client, table, frames, rowAdapter(accounts, sealers))
    } else if (part.part === 'file') {
      await loadFile(options, header.workspaceId, part, frames)
      counts.files++
    }
  }
  return counts
}

async function loadTable(
  client: pg.Client,
  table: MovedTable,
  frames: AsyncGenerator<Frame>,
  adapt: ReturnType<typeof rowAdapter>,
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
  await makeArrived(client, table)
  const loaded = await copyIn(client, `copy ${ARRIVED} (${columnList(table.columns)}) from stdin`, rows())
  if (loaded !== expected)
    throw new Error(`${table.name} has ${loaded} rows instead of ${expected}. Nothing was loaded.`)
  await adapt(client, table)
  await insertArrived(client, table)
  await client.query(`drop table ${ARRIVED}`)
  return loaded
}

async function loadFile(
  { store }: LoadOptions,
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
