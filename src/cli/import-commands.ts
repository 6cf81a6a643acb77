// Imports leads and contacts from a CSV or vCard file.
import {
  DATE_FORMATS,
  NUMBER_FORMATS,
} from '../modules/automating/imports/operations/cells/column-formats.ts'
import { knownEncoding } from '../modules/automating/imports/operations/csv/encoding.ts'
import { FIELDS_OF, type ImportKind } from '../modules/automating/imports/schema.ts'
import { type CommandContext, command, type Flag, UsageError } from './command.ts'
import { id, oneOf, required, switchFlag, text } from './flags.ts'
import { importFile } from './import/import-file.ts'
import { inWorkspace } from './in-workspace.ts'

const column = (fields: readonly string[]): Flag<[string, string]> & { repeats: true } => ({
  placeholder: 'FIELD=COLUMN',
  repeats: true,
  parse(input) {
    const [field, ...name] = input.split('=')
    if (!fields.includes(field!) || name.join('=') === '')
      throw new UsageError(
        `Must be FIELD=COLUMN with one of the fields ${fields.join(', ')}, not "${input}".`,
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
  parse(input) {
    const separator = input.lastIndexOf('=')
    const found = FORMATS.find((name) => name === input.slice(separator + 1))
    if (separator < 1 || found === undefined)
      throw new UsageError(
        `Must be COLUMN=FORMAT with one of the formats ${FORMATS.join(', ')}, not "${input}".`,
      )
    return [input.slice(0, separator).trim(), found]
  },
}

const heading: Flag<number | null> = {
  placeholder: 'LINE|none',
  parse(input) {
    if (input === 'none') return null
    if (!/^[1-9]\d{0,5}$/.test(input))
      throw new UsageError(`Must be a line of the file or none, not "${input}".`)
    return Number(input)
  },
}

const encoding: Flag<string> = {
  placeholder: 'E',
  parse(input) {
    const encodingName = knownEncoding(input)
    if (encodingName === undefined)
      throw new UsageError(`Must be an encoding, such as utf-8 or windows-1252, not "${input}".`)
    return encodingName
  },
}

const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const
const delimiterName = oneOf(['comma', 'semicolon', 'tab', 'bar'])

const shared = {
  workspace: required(id()),
  report: text('FILE'),
  again: switchFlag,
  heading,
  countryColumn: text('COLUMN|none'),
  format,
  encoding,
  delimiter: delimiterName,
}
type ImportFlags = {
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

const runImport = (
  context: CommandContext,
  flags: ImportFlags,
  kind: ImportKind,
  source?: string,
): Promise<object> =>
  inWorkspace(context, flags.workspace, async ({ database, workspace }) => {
    const report = flags.report ?? `${flags.operand}.refused.csv`
    const imported = await importFile({
      database,
      workspace,
      file: flags.operand,
      kind,
      columnsByField: new Map(flags.map),
      source,
      table: {
        encoding: flags.encoding,
        delimiter: flags.delimiter && DELIMITER_NAMES[flags.delimiter],
        heading: flags.heading === undefined ? undefined : { line: flags.heading },
      },
      countryColumn: flags.countryColumn === 'none' ? null : flags.countryColumn,
      formats: Object.fromEntries(flags.format ?? []),
      report,
      again: flags.again ?? false,
      say: context.say,
    })
    return { ...imported, report: imported.refused > 0 ? report : null }
  })

export const importCommands = [
  command({
    name: 'import leads',
    summary: 'Import leads from a CSV or vCard file. A stopped import continues where it stopped.',
    operand: 'FILE',
    flags: { ...shared, map: column(FIELDS_OF.leads), source: text('S') },
    run: (flags, context) => runImport(context, flags, 'leads', flags.source),
  }),
  command({
    name: 'import contacts',
    summary: 'Import contacts from a CSV or vCard file. Contacts with known numbers are updated.',
    operand: 'FILE',
    flags: { ...shared, map: column(FIELDS_OF.contacts) },
    run: (flags, context) => runImport(context, flags, 'contacts'),
  }),
]
