import { migrate, pendingMigrations, queryOf } from '../database/migrate.ts'
import { onDatabase } from '../database/on-database.ts'
import { command } from './command.ts'
import { openForCommand } from './installation.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the database up to this version.',
  flags: {},
  run: async (_, { config, say, json }) => {
    const opened = await openForCommand(config(), say)
    try {
      const migrated = await pending(opened.url)
      await migrate(opened.url, say)
      return migrated.length > 0 || json ? { migrated } : { migrated: 'nothing: the database is up to date' }
    } finally {
      await opened.close()
    }
  },
})

const pending = (url: string): Promise<string[]> =>
  onDatabase(url, (client) => pendingMigrations(queryOf(client)))
