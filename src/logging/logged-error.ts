/**
 * An error that is safe to log. Databases and parsers quote their input: a failing row, a duplicate key,
 * invalid JSON. Names and places stay, because they help to find the fault; values are removed, because they
 * are customers' data.
 */

export type LoggedError = {
  type: string
  message: string
  stack?: string
  code?: string
  /** The place of the fault in PostgreSQL. */
  schema?: string
  table?: string
  column?: string
  constraint?: string
  routine?: string
  cause?: LoggedError
  errors?: LoggedError[]
}

const PLACES = ['code', 'schema', 'table', 'column', 'constraint', 'routine'] as const
/** The maximum depth of nested errors. */
const DEEPEST = 4
const MAX_ERRORS = 5
const LONGEST = 4_000

const SECRETS = /\b(?:pk_(?:live|test)_|whsec_|Bearer )[\w+/=.-]+/g
const URL_INSIDE = /(\bhttps?:\/\/[^\s/?#"']+)[^\s"']*/g
/** Phone numbers, and the operator's ids, which are personal too. */
const LONG_NUMBERS = /\+?\d{7,}/g
const MAIL = /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,255}/g

/** Removes keys, secrets, phone numbers, mail addresses, and the paths of URLs from a text. */
const withoutValues = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(SECRETS, '[secret]')
    .replace(URL_INSIDE, '$1/[…]')
    .replace(LONG_NUMBERS, '[number]')
    .replace(MAIL, '[address]')

/**
 * The other side of a connection is unreachable, closed it, or is overloaded: the code is enough, and a stack
 * does not help.
 */
const AWAY = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|57P|08|53)/

/**
 * PostgreSQL's classes of data exceptions and of errors raised by functions: their messages contain values.
 */
const QUOTING_CLASSES = /^(?:22|P0)/

function messageOf(error: Error & { code?: unknown; severity?: unknown }): string {
  const { message, code, severity } = error
  if (typeof severity === 'string' && QUOTING_CLASSES.test(String(code)))
    return 'PostgreSQL rejected a value (message hidden, because it contains the value)'
  // The parser quotes its input.
  if (error instanceof SyntaxError) return withoutValues(message.replace(/".*"/gs, '"[…]"'))
  return withoutValues(message)
}

/** Returns only the frames: the lines before them repeat the message. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Converts anything thrown to a loggable error. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutValues(String(error)) }
  const places = Object.fromEntries(
    PLACES.flatMap((name) => {
      const value = (error as unknown as Record<string, unknown>)[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
  const inner = depth < DEEPEST
  const { errors } = error as AggregateError
  return {
    type: error.name,
    message: messageOf(error),
    ...places,
    ...(error.stack && !AWAY.test(String(places.code)) ? { stack: framesOf(error.stack) } : {}),
    ...(inner && error.cause !== undefined ? { cause: loggedError(error.cause, depth + 1) } : {}),
    ...(inner && Array.isArray(errors)
      ? { errors: errors.slice(0, MAX_ERRORS).map((nested) => loggedError(nested, depth + 1)) }
      : {}),
  }
}
