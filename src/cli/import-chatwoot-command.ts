// Imports contacts, chats, notes, and saved replies from Chatwoot.
import { NewChatwootImport } from '../modules/automating/history-imports/chatwoot-schema.ts'
import { command, UsageError } from './command.ts'
import { between, id, required, secret, switchFlag, text } from './flags.ts'
import { importChatwoot } from './import/import-chatwoot.ts'
import { inWorkspace } from './in-workspace.ts'

const MAX_ACCOUNT = 999_999_999

export const importChatwootCommand = command({
  name: 'import-from chatwoot',
  summary:
    'Import contacts, chats, notes, and saved replies from Chatwoot (docs/guides/from-chatwoot.md). A stopped import continues with --resume.',
  flags: {
    workspace: required(id()),
    url: required(text('URL')),
    account: required(between(1, MAX_ACCOUNT)),
    token: required(secret('T')),
    number: id('NUMBER_ID'),
    dryRun: switchFlag,
    resume: switchFlag,
  },
  run: ({ workspace, url, account, token, number, dryRun = false, resume = false }, context) => {
    const settings = NewChatwootImport.safeParse({
      url,
      accountId: account,
      token,
      dryRun,
      ...(number === undefined ? {} : { phoneNumberId: number }),
    })
    if (!settings.success) throw new UsageError(settings.error.issues[0]!.message)
    return inWorkspace(context, workspace, (opened) =>
      importChatwoot(opened, { account: settings.data, resume, config: context.config(), say: context.say }),
    )
  },
})
