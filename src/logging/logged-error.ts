/**
 * An error as the log may hold it. Databases and parsers quote what they were given: a failing row, a duplicate key,
 * the text that is no JSON. Names and places stay, because they find the fault; values go, because they are customers'.
 */

export type LoggedError = {
  type: string
  message: string
  stack?: string
  code?: string
  /** Where PostgreSQL met the fault. */
  schema?: string
  table?: string
  column?: string
  constraint?: string
  routine?: string
  cause?: LoggedError
  errors?: LoggedError[]
}

const PLACES = ['code', 'schema', 'table', 'column', 'constraint', 'routine'] as const
/** Errors within errors beyond these are left out. */
const DEEPEST = 4
const MAX_ERRORS = 5
const LONGEST = 4_000

const SECRETS = /\b(?:pk_(?:live|test)_|whsec_|Bearer )[\w+/=.-]+/g
const URL_INSIDE = /(\bhttps?:\/\/[^\s/?#"']+)[^\s"']*/g
/** Numbers of people, and ids at the operator, which are numbers of people too. */
const LONG_NUMBERS = /\+?\d{7,}/g
const MAIL = /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,255}/g

/** Text without keys, secrets, numbers of people, mail addresses and the paths of URLs. */
const withoutValues = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(SECRETS, '[secret]')
    .replace(URL_INSIDE, '$1/[…]')
    .replace(LONG_NUMBERS, '[number]')
    .replace(MAIL, '[address]')

/** The other side of a connection is away, ended it or has no room: the code says all, and where we noticed it nothing. */
const AWAY = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|57P|08|53)/

/** PostgreSQL's classes of data exceptions and of what functions raise: their messages are made of values. */
const QUOTING_CLASSES = /^(?:22|P0)/

function messageOf(error: Error & { code?: unknown; severity?: unknown }): string {
  const { message, code, severity } = error
  if (typeof severity === 'string' && QUOTING_CLASSES.test(String(code)))
    return 'PostgreSQL rejected a value (message hidden, because it contains the value)'
  // The parser shows what it could not read.
  if (error instanceof SyntaxError) return withoutValues(message.replace(/".*"/gs, '"[…]"'))
  return withoutValues(message)
}

/** The frames alone: the lines before them repeat the message. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** What the log holds of anything thrown. */
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
      ? { errors: errors.slice(0, MAX_ERRORS).map((one) => loggedError(one, depth + 1)) }
      : {}),
  }
}
