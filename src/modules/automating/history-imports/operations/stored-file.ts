import type { Context } from '../../../../core/context.ts'
import { eraseStoredFile } from '../../../messaging/media/operations/erase-stored-file.ts'
import { keyOf } from '../../../messaging/media/operations/store-key.ts'
import { HistoryFault, type HistoryFile, type SourceTools } from '../history-source.ts'
import { findHistoryImport, updateHistoryImport } from '../queries.ts'

/** Returns the file of an import in the media store. */
export const storedFile = (
  { outside, workspace }: SourceTools,
  importId: string,
  sizeBytes: number,
): HistoryFile => ({
  sizeBytes,
  async open(range) {
    const stream = await outside.mediaStore.open(keyOf(workspace.id, importId), range)
    if (stream === undefined)
      throw new HistoryFault(
        'The file is no longer stored. Upload it again; imported messages are not doubled.',
      )
    return stream
  },
})

/** Deletes the file of an import that is done; a dry run keeps its file. */
export async function eraseFileOf(ctx: Context, importId: string): Promise<void> {
  const row = await findHistoryImport(ctx, importId)
  if (!row?.hasFile || row.state === 'checked') return
  await eraseStoredFile(ctx, importId)
  await updateHistoryImport(ctx, importId, { hasFile: false })
}
