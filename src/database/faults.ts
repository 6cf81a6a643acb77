/** A server takes no writes that has not taken over yet, or over which another one has taken. */
const TAKES_NO_WRITES = '25006'
/** PostgreSQL error classes that mean "not now": connection, resources, shutdown, and our own limits. */
const PASSING_CLASSES = ['08', '53', '57', '25P03', TAKES_NO_WRITES]
const PASSING_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]
const PASSING_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|client has encountered a connection error|not queryable|Cannot use a pool after/i

/** Whether the fault is the database being away or overloaded, so that trying again may help. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as Error & { code?: unknown }).code
  if (
    typeof code === 'string' &&
    (PASSING_CODES.includes(code) || PASSING_CLASSES.some((prefix) => code.startsWith(prefix)))
  )
    return true
  return PASSING_MESSAGES.test(error.message)
}

/** Whether the server has no disk, memory or connections left; somebody has to look after it. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error && String((error as Error & { code?: unknown }).code).startsWith('53')

/** Whether the server takes no writes: the next connection may lead to one that does. */
export const takesNoWrites = (error: unknown): error is Error =>
  error instanceof Error && (error as Error & { code?: unknown }).code === TAKES_NO_WRITES

/** Whether PostgreSQL ended a statement because it ran for too long. */
export const ranTooLong = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === '57014'

/** The key of the table of remembered answers: a duplicate that took it has committed first. */
const REMEMBERED_ONCE = 'idempotency_keys_pkey'

/** Whether PostgreSQL rolled the transaction back because it stood in another's way: run again, it may go through. */
export function wasRolledBack(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return String(code).startsWith('40') || (code === '23505' && constraint === REMEMBERED_ONCE)
}
