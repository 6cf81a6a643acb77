/** The fields of messages in files, and how columns name them. */
import { HistoryFault } from '../../history-source.ts'

export const MESSAGE_FIELDS = [
  'externalId',
  'phone',
  'name',
  'direction',
  'createdAt',
  'text',
  'status',
  'chanmid',
  'agentEmail',
] as const
export type MessageField = (typeof MESSAGE_FIELDS)[number]

/** Values by field; absent and empty values are missing. */
export type MessageValues = Partial<Record<MessageField, string>>

const REQUIRED = ['phone', 'direction', 'createdAt', 'text'] as const

/** Names of columns in lower case without spaces and signs. */
const NAMES: Record<MessageField, readonly string[]> = {
  externalId: ['externalid', 'id', 'messageid'],
  phone: ['phone', 'phonenumber', 'mobile', 'number', 'contactphone', 'customer', 'customerphone'],
  name: ['name', 'contactname', 'customername', 'displayname'],
  direction: ['direction', 'type', 'messagetype'],
  createdAt: ['createdat', 'date', 'datetime', 'time', 'timestamp', 'sentat', 'created'],
  text: ['text', 'body', 'message', 'content', 'messagetext'],
  status: ['status', 'deliverystatus', 'state'],
  chanmid: ['chanmid', 'wamid', 'sourceid'],
  agentEmail: ['agentemail', 'agent', 'sentby', 'useremail', 'memberemail'],
}

const plainName = (column: string): string => column.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the field of each column, in order; undefined for columns that are not read. Each field has one column. */
export function fieldsOfColumns(columns: readonly string[]): (MessageField | undefined)[] {
  const fields: (MessageField | undefined)[] = columns.map(() => undefined)
  for (const field of MESSAGE_FIELDS)
    for (const name of NAMES[field]) {
      const place = columns.findIndex((column, i) => fields[i] === undefined && plainName(column) === name)
      if (place === -1) continue
      fields[place] = field
      break
    }
  return fields
}

/** Throws a `HistoryFault` that names the required columns that a file lacks. */
export function requireFields(fields: readonly (MessageField | undefined)[]): void {
  const missing = REQUIRED.filter((field) => !fields.includes(field))
  if (missing.length > 0)
    throw new HistoryFault(
      `The file has no column ${missing.join(', ')}. Name its columns phone, direction, createdAt, and text.`,
    )
}
