/** Starts an import from Chatwoot (DECISIONS.md "Chatwoot"). */
import type { z } from 'zod'
import type { ChatwootAnswer } from '../../../../chatwoot/port.ts'
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { NewChatwootImport } from '../chatwoot-schema.ts'
import { findHistoryImportForUpdate, type HistoryImportRow, insertHistoryImport } from '../queries.ts'
import type { HistoryImport } from '../schema.ts'
import { beginRun, requireNoActive } from './change-import.ts'
import { presentHistoryImport } from './read-imports.ts'
import { numberFor } from './upload-file.ts'

const FIELDS = { url: 'url', account: 'accountId', token: 'token' } as const

/**
 * Checks the account, and starts its import in the background. Refuses with `invalid` a wrong address, account, or token, and
 * with `conflict` a second import at the same time. The token is stored sealed until the import ends.
 */
export async function startChatwootImport(
  ctx: AnsweringContext<z.input<typeof HistoryImport>>,
  body: NewChatwootImport,
): Promise<z.input<typeof HistoryImport>> {
  refuseUnlessDone(await ctx.outside.chatwoot.describe(body))
  return ctx.lastTransaction(async (txCtx) =>
    presentHistoryImport(await insertChatwootImport(txCtx, body, { isOutside: false })),
  )
}

/** Returns what recognizes an account when its stopped import is continued. */
export const digestOfChatwoot = ({ url, accountId }: Pick<NewChatwootImport, 'url' | 'accountId'>): string =>
  `${url} ${accountId}`

/** Throws `invalid` with the setting to change. */
export function refuseUnlessDone(answer: ChatwootAnswer<unknown>): void {
  if (answer.kind === 'refused') throw invalid([{ path: FIELDS[answer.field], message: answer.message }])
  if (answer.kind === 'later') throw invalid([{ path: 'url', message: answer.reason }])
}

/** Stores the import of a checked account and starts its run, in the background unless `isOutside`. */
export async function insertChatwootImport(
  ctx: Context,
  { url, accountId, token, phoneNumberId, dryRun }: NewChatwootImport,
  { isOutside }: { isOutside: boolean },
): Promise<HistoryImportRow> {
  const id = newId()
  await requireNoActive(ctx, { id, source: 'chatwoot' })
  await insertHistoryImport(ctx, {
    id,
    source: 'chatwoot',
    phoneNumberId: await numberFor(ctx, phoneNumberId),
    title: new URL(url).host,
    hasFile: false,
    settings: { url, accountId, digest: digestOfChatwoot({ url, accountId }) },
    secretSealed: ctx.sealer.seal(token),
  })
  const row = (await findHistoryImportForUpdate(ctx, id))!
  return beginRun(ctx, row, { isDryRun: dryRun, isOutside })
}
