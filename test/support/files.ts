/** Small files of every type, and customers who send them. */
import { randomUUID } from 'node:crypto'
import type { Tx } from '../../src/core/context.ts'
import { newId } from '../../src/core/ids.ts'
import { insertUpdates } from '../../src/modules/messaging/messages/intake/queries/updates.ts'

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const padFile = (head: Buffer, bytes: number): Buffer =>
  Buffer.concat([head, Buffer.alloc(bytes - head.length, 7)])

/** Returns a file of `bytes` bytes that starts with the signature of its type. */
export function fileOf(mimeType: string, bytes = 64): Buffer {
  const head = HEADS[mimeType]
  if (!head) throw new Error(`no file of type ${mimeType}`)
  return padFile(head, bytes)
}

const ftyp = (brand: string): Buffer => ascii(`\0\0\0\x18ftyp${brand}\0\0\0\0`)
const zip = ascii('PK\x03\x04')
const compound = ascii('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const office = 'application/vnd.openxmlformats-officedocument'
const HEADS: Record<string, Buffer> = {
  'image/jpeg': ascii('\xff\xd8\xff\xe0'),
  'image/png': ascii('\x89PNG\r\n\x1a\n'),
  'image/webp': ascii('RIFF\x40\0\0\0WEBPVP8 '),
  'video/mp4': ftyp('isom'),
  'video/3gpp': ftyp('3gp4'),
  'audio/aac': ascii('\xff\xf1\x50\x80'),
  'audio/amr': ascii('#!AMR\n'),
  'audio/mpeg': ascii('ID3\x04'),
  'audio/mp4': ftyp('M4A '),
  'audio/ogg': ascii('OggS\0\x02'),
  'application/pdf': ascii('%PDF-1.7\n'),
  'text/plain': ascii('hello '),
  'application/msword': compound,
  'application/vnd.ms-excel': compound,
  'application/vnd.ms-powerpoint': compound,
  [`${office}.wordprocessingml.document`]: zip,
  [`${office}.spreadsheetml.sheet`]: zip,
  [`${office}.presentationml.presentation`]: zip,
}

/** Body of `POST /media`. */
export const uploadOf = (mimeType: string, bytes?: number, more: object = {}) => ({
  fileBase64: fileOf(mimeType, bytes).toString('base64'),
  mimeType,
  filename: 'a file',
  ...more,
})

/**
 * Reports a customer's file as the operator does: `content` is its payload, such as `{ id, mime_type }`.
 * Returns the id of the message, which background work applies later.
 */
export async function customerSends(
  parley: { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> },
  shop: { workspaceId: string; phoneNumberId: string | null },
  from: string,
  message: { type: string; content: Record<string, unknown>; chanmid?: string },
): Promise<string> {
  const id = newId()
  const { type, content, chanmid = `wamid.${randomUUID()}` } = message
  await parley.system(async (tx) => {
    const [number] = await tx.sql<{ operatorId: string; ahead: number }>(
      `select n.operator_id, w.clock_offset_ms as ahead from phone_numbers n join workspaces w on w.id = n.workspace_id
       where n.workspace_id = $1 and n.id = $2`,
      [shop.workspaceId, shop.phoneNumberId],
    )
    const now = new Date()
    await insertUpdates(tx.sql, [
      {
        workspaceId: shop.workspaceId,
        id,
        phoneNumberId: shop.phoneNumberId as string,
        sender: from.replace('+', ''),
        body: {
          field: 'messages',
          value: {
            metadata: { phone_number_id: number?.operatorId },
            messages: [
              {
                from: from.replace('+', ''),
                id: chanmid,
                timestamp: String(Math.floor((now.getTime() + Number(number?.ahead)) / 1000)),
                type,
                [type]: content,
              },
            ],
          },
        },
        reference: null,
        runAt: now,
        receivedAt: now,
      },
    ])
  })
  return id
}
