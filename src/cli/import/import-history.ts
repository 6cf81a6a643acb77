/** Imports a file of past messages from the command line, in this process (src/modules/automating/history-imports/DECISIONS.md). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../../config.ts'
import { SECOND_MS, systemClock } from '../../core/clock.ts'
import { type Outside, platformContext } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { storableText } from '../../core/values/storable.ts'
import { openMediaStore } from '../../media-store/open-store.ts'
import { createSpool } from '../../media-store/spool.ts'
import type { HistoryFile, SourceTools } from '../../modules/automating/history-imports/history-source.ts'
import { beginRun } from '../../modules/automating/history-imports/operations/change-import.ts'
import { presentHistoryImport } from '../../modules/automating/history-imports/operations/read-imports.ts'
import {
  failHistoryImport,
  runHistoryImport,
} from '../../modules/automating/history-imports/operations/run-import.ts'
import { numberFor } from '../../modules/automating/history-imports/operations/upload-file.ts'
import {
  findHistoryImport,
  findHistoryImportForUpdate,
  findUnfinishedImport,
  type HistoryImportRow,
  insertHistoryImport,
  updateHistoryImport,
} from '../../modules/automating/history-imports/queries.ts'
import type { FILE_SOURCES, FileChoices } from '../../modules/automating/history-imports/schema.ts'
import { fileSourceNamed } from '../../modules/automating/history-imports/sources/all-sources.ts'
import type { OpenedWorkspace } from '../in-workspace.ts'

export type HistoryCommand = {
  source: (typeof FILE_SOURCES)[number]
  path: string
  choices: FileChoices
  phoneNumberId: string | undefined
  isDryRun: boolean
  /** Whether to continue an import of this file that was stopped. */
  resume: boolean
  config: Config
  say(line: string): void
}

const PROGRESS_MS = 2 * SECOND_MS

async function fileAt(path: string): Promise<HistoryFile & { digest: string }> {
  const file = await open(path)
  const { size } = await file.stat().finally(() => file.close())
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return {
    sizeBytes: size,
    digest: hash.digest('hex'),
    open: async (range) => createReadStream(path, range),
  }
}

/** Returns a function that reports the progress every few seconds. */
function progressLines(say: (line: string) => void): (row: HistoryImportRow) => void {
  let lastMs = systemClock.monotonicMs()
  return ({ read, total, stored, known, leftOut }) => {
    const nowMs = systemClock.monotonicMs()
    if (nowMs - lastMs < PROGRESS_MS) return
    lastMs = nowMs
    say(`${read} of ${total ?? 'unknown'} read: ${stored} stored, ${known} known, ${leftOut} left out`)
  }
}

/** Imports the file and returns the report. A stopped command continues with `resume`, and doubles nothing without it. */
export async function importHistory(
  { database, workspace }: OpenedWorkspace,
  command: HistoryCommand,
): Promise<object> {
  const file = await fileAt(command.path)
  const store = await openMediaStore(command.config, systemClock)
  // Sources of files use no other part of the outside.
  const outside = {
    mediaStore: store,
    spool: createSpool(join(command.config.dataDir, 'spool')),
  } as unknown as Outside
  const tools: SourceTools = {
    workspace,
    outside,
    clock: systemClock,
    transaction: (work) =>
      database.tenant(workspace, (unit) => work(platformContext(unit, workspace, systemClock, 'import'))),
  }
  try {
    return await runInProcess(tools, await begin(tools, command, file), { file, say: command.say })
  } finally {
    await store.close()
  }
}

/** Runs an import that has begun to its end, and returns the report. */
export async function runInProcess(
  tools: SourceTools,
  { id, run }: Pick<HistoryImportRow, 'id' | 'run'>,
  { file, say }: { file?: HistoryFile; say(line: string): void },
): Promise<object> {
  const key = { importId: id, run }
  const turn = {
    ...(file ? { file } : {}),
    turnMs: Number.POSITIVE_INFINITY,
    onProgress: progressLines(say),
  }
  try {
    // Without a limit of time, only a move of the workspace interrupts the run.
    if ((await runHistoryImport(tools, key, turn)) === 'continues')
      await tools.transaction((ctx) =>
        failHistoryImport(ctx, key, 'The workspace moves. Run the command with --resume at its new place.'),
      )
  } catch (error) {
    await tools.transaction((ctx) => failHistoryImport(ctx, key, 'The command stopped with an error.'))
    throw error
  }
  const row = (await tools.transaction((ctx) => findHistoryImport(ctx, id)))!
  const { state, error } = row
  return {
    ok: state === 'done' || state === 'checked',
    ...presentHistoryImport(row),
    ...(error === null ? {} : { error }),
  }
}

async function begin(
  tools: SourceTools,
  { source, path, choices, phoneNumberId, isDryRun, resume }: HistoryCommand,
  file: HistoryFile & { digest: string },
): Promise<HistoryImportRow> {
  const unfinished = resume
    ? await tools.transaction((ctx) => findUnfinishedImport(ctx, source, file.digest))
    : undefined
  if (resume && !unfinished)
    throw new Error('No stopped import of this file found. Run the command without --resume.')
  const filename = basename(path)
  const prepared = unfinished
    ? undefined
    : await fileSourceNamed(source).prepare(tools, file, { ...choices, filename })
  return tools.transaction(async (ctx) => {
    const id = unfinished?.id ?? newId()
    if (prepared) {
      const numberId = await numberFor(ctx, phoneNumberId)
      const title = storableText(filename)
      await insertHistoryImport(ctx, { id, source, phoneNumberId: numberId, title, hasFile: false })
      const { total, phone } = prepared
      const settings = { ...prepared.settings, digest: file.digest }
      await updateHistoryImport(ctx, id, { settings, total, phone })
    }
    const row = (await findHistoryImportForUpdate(ctx, id))!
    return beginRun(ctx, row, { isDryRun, isOutside: true })
  })
}
