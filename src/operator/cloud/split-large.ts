/** Splits values that may list thousands of messages or contacts into parts for short transactions. */
import { isObject, objectsIn } from '../../core/values/storable.ts'
import type { Json } from './fields/webhook-value.ts'

/** Messages or contacts in one part. */
const MAX_LISTED = 200

const inParts = (items: Json[]): Json[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_LISTED) }, (_, i) =>
    items.slice(i * MAX_LISTED, (i + 1) * MAX_LISTED),
  )

/** Splits a value of the phone app's address book. */
export function splitAddressBook(value: Json): Json[] {
  const parts = inParts(objectsIn(value.state_sync))
  return parts.length < 2 ? [value] : parts.map((part) => ({ ...value, state_sync: part }))
}

/**
 * Splits a value of the phone app's history, by its messages. The progress is in the last part of its chunk,
 * so that it is not ahead of the messages.
 */
export function splitHistory(value: Json): Json[] {
  const { history, messages, ...rest } = value
  const chunks = objectsIn(history)
  const files = objectsIn(messages)
  const total = chunks.reduce((sum, chunk) => sum + countMessages(chunk), files.length)
  if (total <= MAX_LISTED) return [value]
  return [
    ...inParts(files).map((part) => ({ ...rest, messages: part })),
    ...chunks.flatMap((chunk) => splitChunk(chunk).map((part) => ({ ...rest, history: [part] }))),
  ]
}

const countMessages = (chunk: Json): number =>
  objectsIn(chunk.threads).reduce((sum, thread) => sum + objectsIn(thread.messages).length, 0)

function splitChunk(chunk: Json): Json[] {
  const parts: Json[][] = [[]]
  let room = MAX_LISTED
  for (const thread of objectsIn(chunk.threads)) {
    const messages = objectsIn(thread.messages)
    for (let from = 0; from < messages.length; ) {
      if (room === 0) {
        parts.push([])
        room = MAX_LISTED
      }
      const part = messages.slice(from, from + room)
      parts.at(-1)!.push({ ...thread, messages: part })
      from += part.length
      room -= part.length
    }
  }
  const metadata = isObject(chunk.metadata) ? chunk.metadata : {}
  return parts.map((threads, i) =>
    i === parts.length - 1 ? { ...chunk, threads } : { metadata: withoutProgress(metadata), threads },
  )
}

function withoutProgress({ progress: _, ...metadata }: Json): Json {
  return metadata
}
