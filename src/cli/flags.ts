// The kinds of flags of commands. Rules that need a library load it when they are applied.

import { DAY_MS } from '../core/clock.ts'
import { IMPOSSIBLE_HOST, isPossibleHost } from '../core/values/host-name.ts'
import { isUuid } from '../core/values/uuid.ts'
import { type Flag, UsageError } from './command.ts'

/** Makes a flag required. */
export const required = <T>(flag: Flag<T>): Flag<T> & { required: true } => ({ ...flag, required: true })

/** Requires at least one item: an empty list, such as no scopes or no allowed addresses, is never intended. */
export const atLeastOne = <T>(flag: Flag<T[]>): Flag<T[]> => ({
  ...flag,
  async parse(input) {
    const parsed = await flag.parse(input)
    if (parsed.length === 0) throw new UsageError('Must not be empty.')
    return parsed
  },
})

/** A flag without a value. */
export const switchFlag: Flag<boolean> = { placeholder: null, parse: () => true }

/** Text that is not blank. */
export const text = (placeholder: string): Flag<string> => ({
  placeholder,
  parse: parseText,
})

function parseText(input: string): string {
  if (input.trim() === '') throw new UsageError('Must not be empty.')
  return input.trim()
}

/** Text that authenticates or signs: it can also be given in a file or on standard input. */
export const secret = (placeholder: string): Flag<string> => ({ ...text(placeholder), secret: true })

const NAME_MAX = 100

/** The name of a workspace or a person, with the dashboard's maximum length. */
export const name: Flag<string> = {
  placeholder: 'N',
  parse(input) {
    const parsed = parseText(input)
    if (parsed.length > NAME_MAX) throw new UsageError(`Must be at most ${NAME_MAX} characters.`)
    return parsed
  },
}

/** One of our ids. An impossible id is treated as an unknown one. */
export const id = (placeholder = 'ID'): Flag<string> => ({
  placeholder,
  parse(input) {
    if (!isUuid(input)) throw new Error(`"${input}" isn't an id. Ids are UUIDs.`)
    return input.toLowerCase()
  },
})

/** A phone number in E.164 form. */
export const e164: Flag<string> = {
  placeholder: 'E164',
  async parse(input) {
    const { parsePhone } = await import('../core/values/phone.ts')
    const number = input.startsWith('+') ? parsePhone(input, '1') : undefined
    if (!number)
      throw new UsageError(`Must be a phone number in E.164 format, such as +14155550100, not "${input}".`)
    return number
  },
}

/** One of a few words. */
export const oneOf = <const W extends string>(words: readonly W[]): Flag<W> => ({
  placeholder: words.join('|'),
  parse: (input) => parseChoice(words, input),
})

/** Some of a set of words, comma-separated, each once; empty for none. */
export const someOf = <const W extends string>(
  words: readonly W[],
  placeholder = words.join(','),
): Flag<W[]> => ({
  placeholder,
  parse: (input) => splitList(input).map((item) => parseChoice(words, item)),
})

export const onOrOff: Flag<boolean> = {
  placeholder: 'on|off',
  parse: (input) => parseChoice(['on', 'off'], input) === 'on',
}

/** An http or https address. */
export const webAddress: Flag<string> = {
  placeholder: 'URL',
  parse(input) {
    const url = URL.parse(input)
    if (!url || !/^https?:$/.test(url.protocol))
      throw new UsageError(`Must be a web address, such as https://example.com, not "${input}".`)
    if (!isPossibleHost(url.hostname)) throw new UsageError(IMPOSSIBLE_HOST)
    return input
  },
}

/** A whole number from 0 on. */
export const count: Flag<number> = { placeholder: 'N', parse: parseCount }

export function parseCount(input: string): number {
  if (!/^\d{1,9}$/.test(input)) throw new UsageError(`Must be a whole number, not "${input}".`)
  return Number(input)
}

/** A whole number within bounds. */
export const between = (least: number, max: number): Flag<number> => ({
  placeholder: 'N',
  parse(input) {
    const number = parseCount(input)
    if (number < least || number > max)
      throw new UsageError(`Must be a whole number from ${least} to ${max}.`)
    return number
  },
})

/** A moment in ISO 8601; a date alone means its first instant in UTC. */
export const instant: Flag<Date> = {
  placeholder: 'ISO',
  async parse(input) {
    const { InstantInput } = await import('../core/values/text.ts')
    const parsed = InstantInput.safeParse(/^\d{4}-\d{2}-\d{2}$/.test(input) ? `${input}T00:00:00Z` : input)
    if (!parsed.success) throw new UsageError(`Must be a time, such as 2027-01-31T00:00:00Z, not "${input}".`)
    return parsed.data
  },
}

/** Address ranges, comma-separated; a single address is a range of one. */
export const ranges: Flag<string[]> = {
  placeholder: 'CIDR,...',
  async parse(input) {
    const { toCidr } = await import('../core/values/address-range.ts')
    return splitList(input).map((item) => {
      const range = toCidr(item)
      if (range === undefined)
        throw new UsageError(`Must be an address range, such as 203.0.113.0/24, not "${item}".`)
      return range
    })
  },
}

function parseChoice<W extends string>(words: readonly W[], input: string): W {
  const found = words.find((word) => word === input)
  if (found === undefined) throw new UsageError(`Must be one of ${words.join(', ')}, not "${input}".`)
  return found
}

const splitList = (input: string): string[] => {
  const parts = input.split(',').map((item) => item.trim())
  return [...new Set(parts)].filter((item) => item !== '')
}

/** An e-mail address. */
export const email: Flag<string> = {
  placeholder: 'E',
  parse(input) {
    if (!/^[^\s@]+@[^\s@]+$/.test(input)) throw new UsageError(`Must be an email address, not "${input}".`)
    return input
  },
}

/** A number of days, such as 7d. Its value is in milliseconds. */
export const days: Flag<number> = {
  placeholder: '7d',
  parse(input) {
    const [, number] = /^(\d{1,4})d$/.exec(input) ?? []
    if (number === undefined) throw new UsageError(`Must be a number of days, such as 7d, not "${input}".`)
    return Number(number) * DAY_MS
  },
}
