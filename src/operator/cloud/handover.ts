import type { IncomingHttpHeaders } from 'node:http'
import { isProxyRefusal } from '../../core/values/proxy-refusal.ts'
import { retryAfterSeconds } from '../../core/values/retry-after.ts'
import { idOrNull, isObject, objectsIn } from '../../core/values/storable.ts'
import { classifyError, classifyHttpStatus, isOperatorError } from '../error-classes.ts'
import type { Handover, OperatorError } from '../port.ts'
import type { Exchanged } from './exchange-once.ts'
import { readPhone } from './fields/webhook-value.ts'

/**
 * Decides the outcome of a message from the end of its POST (docs/formats.md sections 3 and 4). It is a
 * refusal only with the operator's own error or a status that proves that nothing was done. Anything else
 * that may have gone out is unknown.
 */
export function handoverOf(posted: Exchanged): Handover {
  if (posted.kind === 'failed')
    return { kind: posted.written ? 'unknown' : 'not_sent', reason: posted.reason }
  return { ...outcomeOf(posted), status: posted.status }
}

function outcomeOf(posted: Extract<Exchanged, { kind: 'answered' }>): Handover {
  const { status, headers } = posted
  const body = parseObject(posted.body)
  if (isOperatorError(body.error)) return refused(classifyError(body.error), headers)
  if (status >= 200 && status < 300) {
    const chanmid = idOrNull(objectsIn(body.messages)[0]?.id)
    return chanmid === null
      ? { kind: 'unknown', reason: `answered ${status} without a message id` }
      : { kind: 'accepted', chanmid, phone: readPhone(objectsIn(body.contacts)[0]?.wa_id) }
  }
  return interpretForeignAnswer(status, headers)
}

type ForeignAnswer =
  | ReturnType<typeof refused>
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

/** Interprets the status of an answer without an error of the operator, such as a proxy's page. */
export function interpretForeignAnswer(status: number, headers: IncomingHttpHeaders): ForeignAnswer {
  const reason = `status ${status} without the operator's error format`
  if (isProxyRefusal(status)) return { kind: 'not_sent', reason }
  // A 408 may come from something that had already forwarded the request.
  if (status >= 500 || status === 408) return { kind: 'unknown', reason }
  return refused(classifyHttpStatus(status), headers)
}

/** Returns a refusal with the wait that the operator requests. */
export function refused(
  error: OperatorError,
  headers: IncomingHttpHeaders,
): { kind: 'refused'; error: OperatorError; retryAfterSeconds: number | null } {
  return { kind: 'refused', error, retryAfterSeconds: retryAfterSeconds(headers) }
}

/** Parses an answer's text as a JSON object; undefined if it is not one. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parses an answer's text as a JSON object; empty if it is not one. */
export const parseObject = (text: string): Record<string, unknown> => objectIn(text) ?? {}
