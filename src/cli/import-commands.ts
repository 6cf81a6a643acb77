// Leads and contacts out of a CSV file.
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
import { command, type Flag, type Surroundings, UsageError } from './command.ts'
import { givenOrNot, id, required, text } from './flags.ts'
import { importFile, type TakeRows } from './import/import-file.ts'
import { inWorkspace } from './in-workspace.ts'

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

const runImport = (
  at: Surroundings,
  given: Given,
  kind: 'leads' | 'contacts',
  source?: string,
): Promise<object> =>
  inWorkspace(at, given.workspace, async ({ database, workspace }) => {
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
  })

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
