// Imports leads and contacts from a CSV or vCard file.
import { DATE_FORMATS, NUMBER_FORMATS } from '../modules/imports/operations/cells/column-formats.ts'
import { knownEncoding } from '../modules/imports/operations/csv/encoding.ts'
import { FIELDS_OF, type ImportKind } from '../modules/imports/schema.ts'
import { command, type Flag, type Surroundings, UsageError } from './command.ts'
import { givenOrNot, id, oneOf, required, text } from './flags.ts'
import { importFile } from './import/import-file.ts'
import { inWorkspace } from './in-workspace.ts'

const column = (fields: readonly string[]): Flag<[string, string]> & { repeats: true } => ({
  placeholder: 'FIELD=COLUMN',
  repeats: true,
  parse(given) {
    const [field, ...name] = given.split('=')
    if (!fields.includes(field!) || name.join('=') === '')
      throw new UsageError(
        `Must be FIELD=COLUMN with one of the fields ${fields.join(', ')}, not "${given}".`,
      )
    return [field!, name.join('=').trim()]
  },
})

const FORMATS = [...NUMBER_FORMATS, ...DATE_FORMATS] as const
type Format = (typeof FORMATS)[number]

/** The last `=` separates column and format, because a column name may contain any character. */
const format: Flag<[string, Format]> & { repeats: true } = {
  placeholder: `COLUMN=${FORMATS.join('|')}`,
  repeats: true,
  parse(given) {
    const at = given.lastIndexOf('=')
    const found = FORMATS.find((one) => one === given.slice(at + 1))
    if (at < 1 || found === undefined)
      throw new UsageError(
        `Must be COLUMN=FORMAT with one of the formats ${FORMATS.join(', ')}, not "${given}".`,
      )
    return [given.slice(0, at).trim(), found]
  },
}

const heading: Flag<number | null> = {
  placeholder: 'LINE|none',
  parse(given) {
    if (given === 'none') return null
    if (!/^[1-9]\d{0,5}$/.test(given))
      throw new UsageError(`Must be a line of the file or none, not "${given}".`)
    return Number(given)
  },
}

const encoding: Flag<string> = {
  placeholder: 'E',
  parse(given) {
    const known = knownEncoding(given)
    if (known === undefined)
      throw new UsageError(`Must be an encoding, such as utf-8 or windows-1252, not "${given}".`)
    return known
  },
}

const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const
const delimiterName = oneOf(['comma', 'semicolon', 'tab', 'bar'])

const shared = {
  workspace: required(id()),
  report: text('FILE'),
  again: givenOrNot,
  heading,
  countryColumn: text('COLUMN|none'),
  format,
  encoding,
  delimiter: delimiterName,
}
type Given = {
  operand: string
  workspace: string
  map: [string, string][] | undefined
  report: string | undefined
  again: boolean | undefined
  heading: number | null | undefined
  countryColumn: string | undefined
  format: [string, Format][] | undefined
  encoding: string | undefined
  delimiter: keyof typeof DELIMITER_NAMES | undefined
}

const runImport = (at: Surroundings, given: Given, kind: ImportKind, source?: string): Promise<object> =>
  inWorkspace(at, given.workspace, async ({ database, workspace }) => {
    const report = given.report ?? `${given.operand}.refused.csv`
    const imported = await importFile({
      database,
      workspace,
      file: given.operand,
      kind,
      said: new Map(given.map),
      source,
      table: {
        encoding: given.encoding,
        delimiter: given.delimiter && DELIMITER_NAMES[given.delimiter],
        heading: given.heading === undefined ? undefined : { line: given.heading },
      },
      countryColumn: given.countryColumn === 'none' ? null : given.countryColumn,
      formats: Object.fromEntries(given.format ?? []),
      report,
      again: given.again ?? false,
      say: at.say,
    })
    return { ...imported, report: imported.refused > 0 ? report : null }
  })

export const importCommands = [
  command({
    name: 'import leads',
    summary: 'Import leads from a CSV or vCard file. A stopped import continues where it stopped.',
    operand: 'FILE',
    flags: { ...shared, map: column(FIELDS_OF.leads), source: text('S') },
    run: (given, at) => runImport(at, given, 'leads', given.source),
  }),
  command({
    name: 'import contacts',
    summary: 'Import contacts from a CSV or vCard file. Contacts with known numbers are updated.',
    operand: 'FILE',
    flags: { ...shared, map: column(FIELDS_OF.contacts) },
    run: (given, at) => runImport(at, given, 'contacts'),
  }),
]
