/** A row of `messages`, and the lists of values that all inserts of messages start with. */
import type { Selectable } from 'kysely'
import type { SourceKind } from '../../../core/source.ts'
import { instants, jsonTexts, texts, uuids } from '../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { MessageContext, OperatorError, Pricing } from '../../../operator/port.ts'
import type { MessageStatus } from './schema.ts'

export type StoredMessage = Selectable<Tables['messages']>

/** The columns whose values the schema does not describe. */
type Shaped = {
  direction: 'inbound' | 'outbound'
  sourceKind: SourceKind | null
  content: Record<string, unknown>
  status: MessageStatus | 'received'
  /** The automation that sent it, and the automations that led to it. */
  origin: { automationId: string; runId: string; chain: readonly string[] } | null
  /** The context of a customer's message, in the operator's shape. */
  context: MessageContext | null
  /** The operator's charge for our message. */
  pricing: Pricing | null
  error: OperatorError | null
  /** The content before the edit. */
  originalContent: Record<string, unknown> | null
}

/**
 * A stored message without the columns of its hand-over and its trace. `templateText`: the body of a template as the customer
 * reads it. `sentBy`: the member who wrote it in the dashboard. `sourceKind`, `sourceId`, and `sourceName`: its source. `skipReason`: why it was deliberately not sent.
 */
export type MessageRow = Omit<
  StoredMessage,
  keyof Shaped | 'runAt' | 'runOffsetMs' | 'leasedUntil' | 'handovers' | 'sentTo' | 'trace'
> &
  Shaped

/** The columns that all new messages have. */
export type EveryMessage = Pick<
  MessageRow,
  | 'workspaceId'
  | 'id'
  | 'conversationId'
  | 'contactId'
  | 'phoneNumberId'
  | 'direction'
  | 'type'
  | 'content'
  | 'status'
  | 'chanmid'
  | 'replyTo'
  | 'createdAt'
>

export type NewMessage = EveryMessage &
  Pick<MessageRow, 'templateText' | 'sentBy' | 'origin' | 'sourceKind' | 'sourceId' | 'sourceName'> & {
    runAt: Date | null
  }

/** The same columns in the order of `valuesOfEvery`: $1 to $12. */
export const OF_EVERY = `workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                        chanmid, reply_to, created_at`
export const TYPES_OF_EVERY = `$1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::json[],
                       $9::text[], $10::text[], $11::text[], $12::timestamptz[]`

/** Returns one list for each of those columns. */
export const valuesOfEvery = (rows: EveryMessage[]): unknown[] => [
  uuids(rows.map((row) => row.workspaceId)),
  uuids(rows.map((row) => row.id)),
  uuids(rows.map((row) => row.conversationId)),
  uuids(rows.map((row) => row.contactId)),
  uuids(rows.map((row) => row.phoneNumberId)),
  texts(rows.map((row) => row.direction)),
  texts(rows.map((row) => row.type)),
  jsonTexts(rows.map((row) => JSON.stringify(row.content))),
  texts(rows.map((row) => row.status)),
  texts(rows.map((row) => row.chanmid)),
  texts(rows.map((row) => row.replyTo)),
  instants(rows.map((row) => row.createdAt)),
]
