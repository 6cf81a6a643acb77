import type { NetworkError, NetworkErrorKind } from './port.ts'

/** Subcodes that are more specific than their code (docs/formats.md section 14). */
const BY_SUBCODE: Record<number, NetworkErrorKind> = {
  2534022: 'window',
  2207001: 'transient',
  2207003: 'transient',
  2207006: 'missing',
  // A container that is not visible yet.
  2207008: 'transient',
  2207020: 'content',
  2207027: 'transient',
  2207032: 'transient',
  2207042: 'quota',
  2207050: 'blocked',
  2207051: 'blocked',
}

const BY_CODE: Record<number, NetworkErrorKind> = {
  [-2]: 'transient',
  [-1]: 'transient',
  1: 'transient',
  2: 'transient',
  4: 'throttle',
  9: 'quota',
  10: 'permission',
  17: 'throttle',
  24: 'missing',
  25: 'blocked',
  32: 'throttle',
  100: 'content',
  190: 'token',
  352: 'content',
  368: 'blocked',
  613: 'throttle',
  9004: 'content',
  // Private replies: already sent, too late, or not allowed for the comment.
  10900: 'content',
  10901: 'content',
  10903: 'content',
  9007: 'transient',
  36000: 'content',
  36001: 'content',
  36002: 'content',
  36003: 'content',
  36004: 'content',
}

const kindOf = (code: number, subcode: number | null): NetworkErrorKind => {
  const errorKind = (subcode === null ? undefined : BY_SUBCODE[subcode]) ?? BY_CODE[code]
  if (errorKind) return errorKind
  return code >= 200 && code <= 299 ? 'permission' : 'other'
}

// The network numbers its errors from -2; this value means that it gave no code.
const NO_CODE = 0

const wholeNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null
}

/** Classifies the `error` of an answer. Never throws. */
export function classifyNetworkError(error: Record<string, unknown>): NetworkError {
  const code = wholeNumber(error.code) ?? NO_CODE
  const subcode = wholeNumber(error.error_subcode)
  const message = [error.error_user_msg, error.message].find(
    (text) => typeof text === 'string' && text !== '',
  )
  const isTransient = error.is_transient === true
  return {
    code,
    subcode,
    message:
      typeof message === 'string'
        ? message.toWellFormed().replaceAll('\0', '')
        : 'The network gave no reason.',
    kind: isTransient ? 'transient' : kindOf(code, subcode),
  }
}

/** Returns the error for an answer without the network's error body, such as a proxy's page. */
export const classifyNetworkStatus = (status: number): NetworkError => ({
  code: status,
  subcode: null,
  message: `The network's address answered with status ${status} and no error details.`,
  kind: status === 429 ? 'throttle' : 'other',
})
