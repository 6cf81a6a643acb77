// Imports past messages from files of other tools and of the chat app.

import { FileChoices } from '../modules/automating/history-imports/schema.ts'
import { DATE_FORMATS } from '../modules/automating/imports/operations/cells/column-formats.ts'
import { type CommandContext, command, UsageError } from './command.ts'
import { id, instant, oneOf, required, switchFlag, text } from './flags.ts'
import { type HistoryCommand, importHistory } from './import/import-history.ts'
import { inWorkspace } from './in-workspace.ts'

const shared = {
  workspace: required(id()),
  number: id('NUMBER_ID'),
  dateOrder: oneOf(DATE_FORMATS),
  timeZone: text('ZONE'),
  before: instant,
  dryRun: switchFlag,
  resume: switchFlag,
}

type Flags = {
  operand: string
  workspace: string
  number: string | undefined
  dateOrder: (typeof DATE_FORMATS)[number] | undefined
  timeZone: string | undefined
  before: Date | undefined
  dryRun: boolean | undefined
  resume: boolean | undefined
  phone?: string | undefined
  ownName?: string | undefined
}

async function runImport(context: CommandContext, source: HistoryCommand['source'], flags: Flags) {
  const { dateOrder, timeZone, phone, ownName, before } = flags
  const choices = FileChoices.safeParse({
    dateOrder,
    timeZone,
    phone,
    ownName,
    before: before?.toISOString(),
  })
  if (!choices.success) throw new UsageError(choices.error.issues[0]!.message)
  return inWorkspace(context, flags.workspace, (opened) =>
    importHistory(opened, {
      source,
      path: flags.operand,
      choices: choices.data,
      phoneNumberId: flags.number,
      isDryRun: flags.dryRun ?? false,
      resume: flags.resume ?? false,
      config: context.config(),
      say: context.say,
    }),
  )
}

export const importFromCommands = [
  command({
    name: 'import-from whatsapp-export',
    summary:
      'Import a chat that the chat app exported (.zip or .txt). A stopped import continues with --resume.',
    operand: 'FILE',
    flags: { ...shared, phone: text('PHONE'), ownName: text('NAME') },
    run: (flags, context) => runImport(context, 'whatsapp_export', flags),
  }),
  command({
    name: 'import-from csv-history',
    summary: 'Import past messages from a CSV or JSONL file. A stopped import continues with --resume.',
    operand: 'FILE',
    flags: shared,
    run: (flags, context) => runImport(context, 'history_file', flags),
  }),
]
