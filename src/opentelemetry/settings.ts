/** The standard variables of OpenTelemetry, as far as Parley reads them. Loads no part of its SDK. */

export const SIGNALS = ['traces', 'metrics', 'logs'] as const
export type Signal = (typeof SIGNALS)[number]

export const PROTOCOLS = ['http/protobuf', 'http/json'] as const
export type Protocol = (typeof PROTOCOLS)[number]

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** The receiver of a signal. `headers` may contain credentials. */
export type OtlpTarget = {
  url: string
  protocol: Protocol
  headers: Record<string, string>
  timeoutMs: number
}

export type OpenTelemetrySettings = {
  /** Only the exported signals. */
  targets: Partial<Record<Signal, OtlpTarget>>
  /** `ratio`: from 0 to 1. */
  sampler: { name: SamplerName; ratio: number }
  serviceName: string
  /** Further attributes of the resource. */
  attributes: Record<string, string>
  /** The maximum number of spans, and of log lines, that wait for their export; further ones are dropped. */
  maxWaiting: number
  /** The maximum time that a span or a log line waits. */
  delayMs: number
  metricsEveryMs: number
}

type Parsed<T> = { value: T } | { problem: string }

/** Parses `name=value` pairs, separated by commas; values are percent-encoded. Errors repeat no value. */
export function parsePairs(text: string): Parsed<Record<string, string>> {
  const pairs: Record<string, string> = {}
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(equals, 0)).trim()
    const value = decoded(pair.slice(equals + 1).trim())
    if (!/^[\w.-]{1,200}$/.test(name) || value === undefined)
      return { problem: 'Must be pairs such as name=value,other=value, with percent-encoded values.' }
    pairs[name] = value
  }
  return { value: pairs }
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    // Header values have no control characters.
    return /^[\x20-\x7e\u00a0-\uffff]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parses one of `names`. */
export const parseOneOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Parsed<Name> => {
    const found = names.find((name) => name === text.toLowerCase())
    return found ? { value: found } : { problem: `Must be one of ${names.join(', ')}, not "${text}".` }
  }

/** Parses a whole number from `min` to `max`. */
export const parseWhole =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const number = Number(text)
    if (/^\d{1,12}$/.test(text) && number >= min && number <= max) return { value: number }
    return { problem: `Must be a whole number from ${min} to ${max}, not "${text}".` }
  }

export function parseRatio(text: string): Parsed<number> {
  const ratio = Number(text)
  if (/^[\d.]{1,20}$/.test(text) && ratio >= 0 && ratio <= 1) return { value: ratio }
  return { problem: `Must be a number from 0 to 1, such as 0.01, not "${text}".` }
}
