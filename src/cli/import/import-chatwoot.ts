/** Imports an account of Chatwoot from the command line, in this process. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createChatwoot } from '../../chatwoot/chatwoot.ts'
import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { type Context, type Outside, platformContext } from '../../core/context.ts'
import { createEgress } from '../../egress/egress.ts'
import { openMediaStore } from '../../media-store/open-store.ts'
import { createSpool } from '../../media-store/spool.ts'
import type { NewChatwootImport } from '../../modules/automating/history-imports/chatwoot-schema.ts'
import type { SourceTools } from '../../modules/automating/history-imports/history-source.ts'
import { beginRun } from '../../modules/automating/history-imports/operations/change-import.ts'
import {
  digestOfChatwoot,
  insertChatwootImport,
} from '../../modules/automating/history-imports/operations/start-chatwoot.ts'
import {
  findUnfinishedImport,
  type HistoryImportRow,
  updateHistoryImport,
} from '../../modules/automating/history-imports/queries.ts'
import type { OpenedWorkspace } from '../in-workspace.ts'
import { runInProcess } from './import-history.ts'

export type ChatwootCommand = {
  account: NewChatwootImport
  /** Whether to continue an import of this account that was stopped. */
  resume: boolean
  config: Config
  say(line: string): void
}

/** Imports the account and returns the report. A stopped command continues with `resume`, and doubles nothing without it. */
export async function importChatwoot(
  { database, workspace }: OpenedWorkspace,
  { account, resume, config, say }: ChatwootCommand,
): Promise<object> {
  const egress = createEgress({
    allow: config.egressAllow,
    ...(config.egressCa ? { ca: config.egressCa } : {}),
  })
  const mediaStore = await openMediaStore(config, systemClock)
  const spool = createSpool(join(config.dataDir, 'spool'))
  const chatwoot = createChatwoot({ egress, spool, clock: systemClock, pause: (ms) => wait(ms) })
  // The source uses no other part of the outside.
  const outside = { mediaStore, spool, chatwoot } as unknown as Outside
  const tools: SourceTools = {
    workspace,
    outside,
    clock: systemClock,
    transaction: (work) =>
      database.tenant(workspace, (unit) => work(platformContext(unit, workspace, systemClock, 'import'))),
  }
  try {
    const answer = await chatwoot.describe({ ...account })
    if (answer.kind === 'refused') throw new Error(answer.message)
    if (answer.kind === 'later') throw new Error(answer.reason)
    const row = await tools.transaction((ctx) =>
      resume ? resumeImport(ctx, account) : insertChatwootImport(ctx, account, { isOutside: true }),
    )
    return await runInProcess(tools, row, { say })
  } finally {
    await egress.close()
    await mediaStore.close()
  }
}

/** Continues the stopped import of this account, with the token of this command. */
async function resumeImport(ctx: Context, account: NewChatwootImport): Promise<HistoryImportRow> {
  const unfinished = await findUnfinishedImport(ctx, 'chatwoot', digestOfChatwoot(account))
  if (!unfinished)
    throw new Error('No stopped import of this account found. Run the command without --resume.')
  const row = await updateHistoryImport(ctx, unfinished.id, { secretSealed: ctx.sealer.seal(account.token) })
  return beginRun(ctx, row, { isDryRun: account.dryRun, isOutside: true })
}
