import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { characters, requiredText } from '../../messaging/contacts/schema.ts'
import { PAST_SOURCES } from '../../messaging/messages/past/past-message.ts'
import { DATE_FORMATS } from '../imports/operations/cells/column-formats.ts'

const STATES = ['checking', 'checked', 'running', 'done', 'failed', 'cancelled'] as const
export type HistoryImportState = (typeof STATES)[number] | 'reading'

/** Sources that read a file. */
export const FILE_SOURCES = ['whatsapp_export', 'history_file'] as const

const TimeZone = z
  .string()
  .max(60, 'Must be at most 60 characters.')
  .refine((zone) => isTimeZone(zone), 'Must be a time zone, such as Asia/Kolkata.')

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Choices of a person about a file that does not decide them. */
export const FileChoices = z.strictObject({
  phone: requiredText(40).optional().meta({
    description:
      "The customer's phone number with its country code, for an exported chat that names the customer.",
    example: '+919812345678',
  }),
  ownName: characters(200, 1).optional().meta({
    description: 'Your name in an exported chat, if the file does not show which side is yours.',
    example: 'Acme Store',
  }),
  dateOrder: z.enum(DATE_FORMATS).optional().meta({
    description: 'Order of day and month in the file. Default: detected from all dates of the file.',
  }),
  timeZone: TimeZone.optional().meta({
    description: 'Time zone of times without one. Default: the time zone of the workspace.',
    example: 'Asia/Kolkata',
  }),
  before: z.iso.datetime({ offset: true }).optional().meta({
    description:
      'Import only messages before this time, such as the time at which you connected the number to Parley.',
    example: '2026-01-01T00:00:00Z',
  }),
})
export type FileChoices = z.output<typeof FileChoices>

/** Body of `POST /history-imports/files`. */
export const NewFileImport = FileChoices.extend({
  source: z.enum(FILE_SOURCES).meta({
    description:
      'Kind of file. `whatsapp_export`: a chat that the chat app exported, as .zip or .txt. `history_file`: messages as CSV or JSONL.',
  }),
  fileBase64: z.string('Must be the file in base64.').meta({
    description: 'The file in base64; at most 64 MB before encoding.',
  }),
  filename: requiredText(200),
  phoneNumberId: Id.optional().meta({
    description: 'Your number to which the messages belong. Default: your first active number.',
  }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to only read the file and report, and store nothing.' }),
})
export type NewFileImport = z.output<typeof NewFileImport>

/** An import of past messages in a response. */
export const HistoryImport = z
  .object({
    id: Id,
    source: z.enum(PAST_SOURCES).meta({ description: 'Source of the messages.' }),
    state: z.enum(STATES).meta({
      description:
        'State of the import. checking and checked: a dry run; failed: it stopped, `error` has the reason, and it can be started again.',
    }),
    phoneNumberId: Id,
    title: z.string().nullable().meta({ description: 'Name of the file, or address of the other tool.' }),
    total: z.int().nullable().meta({ description: 'Number of records to read; null if it is not known.' }),
    read: z.int().meta({ description: 'Number of records that were read.' }),
    stored: z
      .int()
      .meta({ description: 'Number of new messages. In a dry run: messages that would be new or known.' }),
    known: z.int().meta({ description: 'Number of messages that were already stored.' }),
    contacts: z.int().meta({ description: 'Number of new contacts.' }),
    leftOut: z.int().meta({ description: 'Number of records that were left out.' }),
    causes: z.record(z.string(), z.int()).meta({
      description: 'Number of records that were left out, by cause.',
      example: { no_phone: 3, system_line: 12 },
    }),
    error: z.string().nullable().meta({ description: 'Why the import stopped; null if it did not.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'HistoryImport' })
