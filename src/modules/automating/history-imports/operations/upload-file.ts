/** Takes the file of an import: stores it, reads it once, and starts the run. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { storableText } from '../../../../core/values/storable.ts'
import { keyOf } from '../../../messaging/media/operations/store-key.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { HistoryFault } from '../history-source.ts'
import {
  deleteHistoryImport,
  findHistoryImportForUpdate,
  insertHistoryImport,
  updateHistoryImport,
} from '../queries.ts'
import type { HistoryImport, NewFileImport } from '../schema.ts'
import { fileSourceNamed } from '../sources/all-sources.ts'
import { beginRun, requireNoActive } from './change-import.ts'
import { presentHistoryImport } from './read-imports.ts'
import { storedFile } from './stored-file.ts'

/** Returns the named number of the workspace, or its first active one. */
export async function numberFor(ctx: Context, phoneNumberId: string | undefined): Promise<string> {
  const chosen = chooseNumber(await listNumbers(ctx, [ctx.workspace.id]), ctx.workspace.id, phoneNumberId)
  if (chosen instanceof Refusal) throw chosen
  return chosen.id
}

/**
 * Stores the file, reads it once to check it, and starts the import in the background. Refuses with `invalid` a file that cannot
 * be read, and with `conflict` a second import of this kind at the same time. Then nothing is stored.
 */
export async function uploadHistoryFile(
  ctx: AnsweringContext<z.input<typeof HistoryImport>>,
  { source, filename, phoneNumberId, dryRun, ...choices }: NewFileImport,
  file: SpooledFile,
): Promise<z.input<typeof HistoryImport>> {
  const id = newId()
  await ctx.transaction(async (txCtx) => {
    await requireNoActive(txCtx, { id, source })
    const numberId = await numberFor(txCtx, phoneNumberId)
    await insertHistoryImport(txCtx, {
      id,
      source,
      phoneNumberId: numberId,
      title: storableText(filename),
      hasFile: true,
    })
  })
  try {
    await ctx.outside.mediaStore.put(keyOf(ctx.workspace.id, id), {
      ...file,
      mimeType: 'application/octet-stream',
    })
    const { settings, total, phone } = await prepared(() =>
      fileSourceNamed(source).prepare(ctx, storedFile(ctx, id, file.sizeBytes), { ...choices, filename }),
    )
    return await ctx.lastTransaction(async (txCtx) => {
      await updateHistoryImport(txCtx, id, {
        settings: { ...settings, sizeBytes: file.sizeBytes },
        total,
        phone,
      })
      const row = (await findHistoryImportForUpdate(txCtx, id))!
      return presentHistoryImport(await beginRun(txCtx, row, { isDryRun: dryRun }))
    })
  } catch (error) {
    await ctx.transaction((txCtx) => deleteHistoryImport(txCtx, id))
    throw error
  }
}

async function prepared<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HistoryFault) throw invalid([{ path: 'fileBase64', message: error.message }])
    throw error
  }
}
