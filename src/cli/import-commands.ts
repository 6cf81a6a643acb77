// Leads and contacts out of a CSV file.
import { EVENTS } from '../catalog.ts'
import { systemClock } from '../core/clock.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { recordCounts } from '../modules/analytics/record-counts.ts'
import { saveContacts } from '../modules/contacts/operations/save-contacts.ts'
import { captureLeads } from '../modules/crm/operations/capture-leads.ts'
import {
  type ColumnMap,
  contactOf,
  leadOf,
  type Reading,
} from '../modules/imports/operations/rows-as-bodies.ts'
import { takeTogether } from '../modules/imports/operations/take-together.ts'
import { CONTACT_FIELDS, LEAD_FIELDS } from '../modules/imports/schema.ts'
import { eventRecorder } from '../modules/webhooks/event-log/record-events.ts'
import { createDirectory } from '../modules/workspaces/directory.ts'
import { command, type Flag, type Surroundings, UsageError } from './command.ts'
import { givenOrNot, id, required, text } from './flags.ts'
import { importFile, type TakeRows } from './import/import-file.ts'
import { openForCommand } from './installation.ts'

const column = (fields: readonly string[]): Flag<[string, string]> & { repeats: true } => ({
  placeholder: 'FIELD=COLUMN',
  repeats: true,
  parse(given) {
    const [field, ...name] = given.split('=')
    if (!fields.includes(field!) || name.join('=') === '')
      throw new UsageError(`"${given}" is not FIELD=COLUMN with a field of ${fields.join(', ')}`)
    return [field!, name.join('=').trim()]
  },
})

const shared = { workspace: required(id()), report: text('FILE'), again: givenOrNot }
type Given = {
  operand: string
  workspace: string
  map: [string, string][] | undefined
  report: string | undefined
  again: boolean | undefined
}

const takeLeads =
  (reading: Reading): TakeRows =>
  (ctx, rows) =>
    takeTogether(
      rows,
      (values) => leadOf(values, reading),
      (bodies) => captureLeads(bodies.map((body) => ({ ctx, body, via: 'import', form: null }))),
    )

const takeContacts =
  (reading: Reading): TakeRows =>
  (ctx, rows) =>
    takeTogether(
      rows,
      (values) => contactOf(values, reading),
      (bodies) => saveContacts(bodies.map((body) => ({ ctx, body }))),
    )

async function runImport(
  at: Surroundings,
  given: Given,
  kind: 'leads' | 'contacts',
  source?: string,
): Promise<object> {
  const opened = await openForCommand(at.config(), at.say)
  try {
    await migrate(opened.url, at.say)
    const database = openDatabase({
      url: opened.url,
      connections: 2,
      onError: (error) => at.say(error.message),
      recordEvents: eventRecorder(systemClock, EVENTS),
      recordCounts,
      // Whoever serves looks for due deliveries by itself.
      onCommit: () => {},
    })
    try {
      const workspace = await createDirectory(database.query, systemClock).workspace(given.workspace)
      if (!workspace) throw new Error(`Workspace ${given.workspace} not found. See "parley workspace list".`)
      const columns: ColumnMap = new Map(given.map)
      const { timezone, countryCode } = workspace
      const reading = { timezone, countryCode, columns, source }
      const report = given.report ?? `${given.operand}.refused.csv`
      const imported = await importFile({
        database,
        workspace,
        file: given.operand,
        reading: JSON.stringify([kind, [...columns].sort(), source ?? null]),
        take: kind === 'leads' ? takeLeads(reading) : takeContacts(reading),
        report,
        again: given.again ?? false,
        say: at.say,
      })
      return { ...imported, report: imported.refused > 0 ? report : null }
    } finally {
      await database.close()
    }
  } finally {
    await opened.close()
  }
}

export const importCommands = [
  command({
    name: 'import leads',
    summary: 'Take leads in from a CSV file; one that was stopped goes on where it stopped.',
    operand: 'FILE.csv',
    flags: { ...shared, map: column(LEAD_FIELDS), source: text('S') },
    run: (given, at) => runImport(at, given, 'leads', given.source),
  }),
  command({
    name: 'import contacts',
    summary: 'Store contacts from a CSV file; known numbers are updated.',
    operand: 'FILE.csv',
    flags: { ...shared, map: column(CONTACT_FIELDS) },
    run: (given, at) => runImport(at, given, 'contacts'),
  }),
]
