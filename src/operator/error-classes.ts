import { isObject, textOrNull } from '../core/values/storable.ts'
import classes from './error-classes.json' with { type: 'json' }
import type { OperatorError } from './port.ts'

type ErrorClass = { code: number; title: string; category: string; permanent: boolean }

const classByCode = new Map<number, ErrorClass>(classes.map((row) => [row.code, row]))

// The operator numbers its errors from 0; this value means that it gave no code.
const noCode = -1

/**
 * Classifies an error of the operator: the `error` of an answer or an element of a webhook's `errors[]`.
 * Keeps the operator's text. An unknown code counts as permanent, to avoid blind retries, unless the operator
 * calls it transient. Never throws (docs/formats.md section 4).
 */
export function classifyError(raw: unknown): OperatorError {
  const error = isObject(raw) ? raw : {}
  const code = codeOf(error.code)
  const errorClass = classByCode.get(code) ?? classOfUnlisted(code, error.is_transient === true)
  const title = textOrNull(error.title) ?? textOrNull(error.error_user_title) ?? errorClass.title
  const subcode = Number(error.error_subcode)
  return {
    code,
    ...(Number.isSafeInteger(subcode) && subcode > 0 ? { subcode } : {}),
    title,
    message: textOrNull(error.message) ?? title,
    details: detailsOf(error),
    category: errorClass.category,
    permanent: errorClass.permanent,
    retryable: !errorClass.permanent,
  }
}

/** The error of a message that failed without a reason from the operator. */
export const UNEXPLAINED: OperatorError = {
  code: 0,
  title: 'Failed',
  message: 'The operator gave no reason.',
  details: null,
  category: 'unknown',
  permanent: false,
  retryable: true,
}

/**
 * Returns whether the `error` of an answer is the operator's: its errors have codes; those of proxies have
 * none.
 */
export const isOperatorError = (raw: unknown): boolean => isObject(raw) && codeOf(raw.code) !== noCode

/**
 * Returns the error for an answer without the operator's error body, such as a proxy's page. `code` is the
 * HTTP status; `category` is throttle for 429, else http.
 */
export function classifyHttpStatus(status: number): OperatorError {
  const category = status === 429 ? 'throttle' : 'http'
  const title = `The operator's address answered with status ${status} and no error details`
  return {
    code: status,
    title,
    message: title,
    details: null,
    category,
    permanent: category === 'http',
    retryable: category !== 'http',
  }
}

function classOfUnlisted(code: number, transient: boolean): ErrorClass {
  const title = 'Unknown error'
  if (transient) return { code, title, category: 'transient', permanent: false }
  // 200 to 299 are permissions that the connection lacks.
  if (code >= 200 && code <= 299) return { code, title: 'API Permission', category: 'auth', permanent: true }
  return { code, title, category: 'unknown', permanent: true }
}

function codeOf(value: unknown): number {
  const code = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof code === 'number' && isStorableInteger(code) ? code : noCode
}

/** The range of PostgreSQL's integer, the type of columns for error codes. */
const isStorableInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31

// `error_data` is an object or, in some answers, the text itself.
function detailsOf(error: Record<string, unknown>): string | null {
  const data = error.error_data
  return textOrNull(isObject(data) ? data.details : data) ?? textOrNull(error.error_user_msg)
}
