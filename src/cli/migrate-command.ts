import {
  acceptChangedMigrations,
  describeChangedMigrations,
  type MigrationHistory,
  migrate,
  queryOf,
  readHistory,
} from '../database/migrate.ts'
import { onDatabase } from '../database/on-database.ts'
import { command } from './command.ts'
import { switchFlag } from './flags.ts'
import { openForCommand } from './installation.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary:
    'Migrate the database to this version. --accept-changed accepts migration files that changed after they were applied.',
  flags: { acceptChanged: switchFlag },
  run: async ({ acceptChanged: isAccepting = false }, { config, say, json }) => {
    const opened = await openForCommand(config(), say)
    try {
      const accepted = isAccepting ? await acceptChangedMigrations(opened.url) : undefined
      const { pending: migrated } = await history(opened.url)
      await migrate(opened.url, say)
      const { changed } = await history(opened.url)
      if (changed.length > 0) throw new Error(describeChangedMigrations(changed))
      const extra = accepted ? { accepted } : {}
      return migrated.length > 0 || json
        ? { migrated, ...extra }
        : { migrated: 'nothing: the database is up to date', ...extra }
    } finally {
      await opened.close()
    }
  },
})

const history = (url: string): Promise<MigrationHistory> =>
  onDatabase(url, (client) => readHistory(queryOf(client)))
