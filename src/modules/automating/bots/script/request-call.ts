/** Builds the request of a node, and reads values from its answer. Pure. */
import { cutText } from '../../../../core/values/cut-text.ts'
import { storableText } from '../../../../core/values/storable.ts'
import { TEXT_MAX } from '../../../messaging/messages/schema.ts'
import { fillText } from '../../../messaging/messages/sending/operations/fill-text.ts'
import type { BotNode } from '../node-schema.ts'
import type { AnswerValue, RequestResult } from './play-script.ts'
import { filled, readValue, type Subject } from './subject.ts'

export type RequestStep = Extract<BotNode, { type: 'request' }>
export type BuiltRequest = { method: RequestStep['method']; url: string; body: string | null }

/** Twice the longest address that a request may have, so that a longer one is an error and never cut. */
const FILLED_URL_MAX = 4_096
const VALUE_MAX = 1_000

/** Encodes a value for an address. A value of dots only would lead to another folder. */
const encoded = (value: string): string =>
  /^\.+$/.test(value) ? '' : encodeURIComponent(value.toWellFormed())

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** Fills the placeholders of a request. */
export const buildRequest = ({ method, url, body }: RequestStep, subject: Subject): BuiltRequest => ({
  method,
  url: fillText(url, (name) => encoded(readValue(subject, name)), FILLED_URL_MAX),
  body: body === null ? null : JSON.stringify(mapTexts(body, (text) => filled(subject, text, TEXT_MAX))),
})

/** Returns the origin of a request: placeholders never change it. */
export const originOf = ({ url }: Pick<RequestStep, 'url'>): string =>
  new URL(url.replaceAll('{{', '')).origin

/** Returns the parsed answer; undefined if it is not JSON. */
export function parseAnswerBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function findAt(value: unknown, path: string): unknown {
  let found = value
  for (const part of path.split('.')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

/** Returns a value as answers and fields store it: objects as JSON, null as nothing. */
function storedValue(value: unknown): AnswerValue {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return cutText(storableText(typeof value === 'string' ? value : JSON.stringify(value)), VALUE_MAX)
}

export type Answer = { body: string; truncated: boolean; error: string | null }

/** Returns the values of an answer, or why the request failed. */
export function resultOf({ save }: Pick<RequestStep, 'save'>, answer: Answer): RequestResult {
  if (answer.error !== null) return { failed: answer.error }
  if (save.length === 0) return { values: [] }
  if (answer.truncated) return { failed: 'The answer is longer than 256 kB.' }
  const json = parseAnswerBody(answer.body)
  if (json === undefined) return { failed: "The answer isn't JSON." }
  return { values: save.map(({ path }) => storedValue(findAt(json, path))) }
}
