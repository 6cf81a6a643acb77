import { isMovedCellFault } from './cell-place.ts'

/** The server accepts no writes: a standby that was not promoted yet, or a former primary. */
const TAKES_NO_WRITES = '25006'
/** PostgreSQL error classes that are temporary: connection, resources, shutdown, and our own limits. */
const TEMPORARY_CLASSES = ['08', '53', '57', '25P03', TAKES_NO_WRITES]
const TEMPORARY_CODES = [
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
const TEMPORARY_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|client has encountered a connection error|not queryable|Cannot use a pool after/i

/** Returns whether the database is unreachable or overloaded, so that a retry may help. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as Error & { code?: unknown }).code
  if (
    typeof code === 'string' &&
    (TEMPORARY_CODES.includes(code) || TEMPORARY_CLASSES.some((prefix) => code.startsWith(prefix)))
  )
    return true
  return TEMPORARY_MESSAGES.test(error.message)
}

/** Returns whether the server is out of disk, memory, or connections and needs an administrator. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && String((error as Error & { code?: unknown }).code).startsWith('53')

/** Returns whether the server accepts no writes: the next connection may reach one that does. */
const isReadOnlyFault = (error: unknown): error is Error =>
  error instanceof Error && (error as Error & { code?: unknown }).code === TAKES_NO_WRITES

/** Returns whether the connection leads to a server that cannot serve: the next one may lead to another. */
export const isWrongServerFault = (error: unknown): error is Error =>
  isReadOnlyFault(error) || isMovedCellFault(error)

/** Returns whether PostgreSQL ended a statement because it ran too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === '57014'

/** The key of the table of remembered answers: a violation means that a duplicate committed first. */
const IDEMPOTENCY_KEY_CONSTRAINT = 'idempotency_keys_pkey'
/** Citus adds the number of a table's part to the names of its constraints. */
const PART_NUMBER = /_\d+$/

/**
 * Returns whether PostgreSQL rolled the transaction back because of a conflict with another: a retry may
 * succeed.
 */
export function wasRolledBack(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return (
    String(code).startsWith('40') ||
    (code === '23505' && String(constraint).replace(PART_NUMBER, '') === IDEMPOTENCY_KEY_CONSTRAINT)
  )
}
