// What a command of the command line is, and how its words are read.
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { nearNames } from '../core/near-names.ts'
import { FROM_STANDARD_INPUT, readSecret } from './read-secret.ts'

/** Wrong words on the command line: exit code 2, and the usage is shown. */
export class UsageError extends Error {}

/** One `--flag`. `placeholder` null: a switch without a value. `parse` throws UsageError on a value that cannot be. */
export type Flag<T> = {
  placeholder: string | null
  parse: (text: string) => T
  required?: boolean
  /** May be given more than once; its value is a list. */
  repeats?: boolean
  /** Is also read from a file (`--NAME-file PATH`) and from standard input (`-`). */
  secret?: boolean
}
type RequiredFlag<T> = Flag<T> & { required: true }
type RepeatedFlag<T> = Flag<T> & { repeats: true }
type Flags = Record<string, Flag<unknown>>
type Values<F extends Flags> = {
  [K in keyof F]: F[K] extends RepeatedFlag<infer T>
    ? T[] | undefined
    : F[K] extends RequiredFlag<infer T>
      ? T
      : F[K] extends Flag<infer T>
        ? T | undefined
        : never
}

/** What a command has to work with beside its flags. */
export type Surroundings = {
  config: () => Config
  /** Reaches the person, never standard output. */
  say: (line: string) => void
  /** A line on standard output after the answer, from a command that goes on. */
  print: (line: string) => void
  /** Whether standard output is for programs. */
  json: boolean
  /** Goes on after the answer was printed, until the person stops it; then `close` ends what goes on. */
  stayUntilStopped: (close: () => Promise<void>) => void
}

/** The answer is printed; one with `ok: false` makes the exit code 1. */
export type Command = {
  name: string
  summary: string
  /** A word without a flag that must be given; its value is `operand`. */
  operand?: string
  flags: Flags
  run(values: Record<string, unknown>, surroundings: Surroundings): Promise<object>
}

/** Declares a command; `run` gets its flags' values under their names here, typed (`countryCode` is `--country-code`). */
export function command<F extends Flags>(declared: {
  name: string
  summary: string
  operand?: string
  flags: F
  run(values: Values<F> & { operand: string }, surroundings: Surroundings): Promise<object>
}): Command {
  return {
    ...declared,
    run: (values, surroundings) => declared.run(values as Values<F> & { operand: string }, surroundings),
  }
}

/**
 * Reads the words after a command's name into values by flag name. Throws UsageError naming every fault; when the
 * usage is right, what else a flag's `parse` threw.
 */
export function readFlags(chosen: Command, words: string[]): Record<string, unknown> {
  const { values: texts, positionals } = parseWords(chosen, words)
  const faults: string[] = []
  const refusals: unknown[] = []
  const values: Record<string, unknown> = {}
  if (chosen.operand !== undefined) {
    values.operand = positionals[0]
    if (positionals.length !== 1) faults.push(`Give one ${chosen.operand}.`)
  }
  for (const [name, flag] of Object.entries(chosen.flags)) {
    try {
      const text = flag.secret ? secretOf(name, texts) : texts[kebab(name)]
      if (Array.isArray(text)) values[name] = text.map((one) => flag.parse(String(one)))
      else if (typeof text === 'string') values[name] = flag.parse(text)
      else if (text === true) values[name] = true
      else if (flag.required) faults.push(`--${kebab(name)}: Required.`)
    } catch (error) {
      if (error instanceof UsageError) faults.push(`--${kebab(name)}: ${error.message}`)
      else refusals.push(error)
    }
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  if (refusals.length > 0) throw refusals[0]
  return values
}

/** The text of a secret: given as it is, or read from where it is kept. */
function secretOf(name: string, texts: Words['values']): string | undefined {
  const [given, file] = [texts[kebab(name)], texts[fileFlag(name)]].map((one) =>
    typeof one === 'string' ? one : undefined,
  )
  if (given !== undefined && file !== undefined)
    throw new UsageError(`Give this flag or --${fileFlag(name)}, not both.`)
  const from = given === FROM_STANDARD_INPUT ? given : file
  if (from === undefined) return given
  try {
    return readSecret(from)
  } catch (error) {
    const why =
      error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
    throw new UsageError(`Can't be read from ${from}: ${why}.`)
  }
}

/** How secrets are given, for the help of a command that takes any. */
export const SECRETS_HELP =
  'To keep a secret out of the process list, give it in a file (--NAME-file PATH) or on standard input (-).'

/** One line: the command with its flags, optional ones in brackets. */
export function usageLine(shown: Command): string {
  const flags = Object.entries(shown.flags).map(([name, { placeholder, required, repeats, secret }]) => {
    const plain = placeholder === null ? `--${kebab(name)}` : `--${kebab(name)} ${placeholder}`
    const words = secret ? `${plain}|--${fileFlag(name)} PATH` : plain
    return required ? words : `[${words}]${repeats ? '...' : ''}`
  })
  return [shown.name, ...(shown.operand === undefined ? [] : [shown.operand]), ...flags].join(' ')
}

type Words = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

function parseWords(chosen: Command, words: string[]): Words {
  const options = Object.fromEntries(
    Object.entries(chosen.flags).flatMap(([name, { placeholder, repeats, secret }]) => [
      [
        kebab(name),
        {
          type: placeholder === null ? ('boolean' as const) : ('string' as const),
          multiple: repeats ?? false,
        },
      ],
      ...(secret ? [[fileFlag(name), { type: 'string' as const, multiple: false }]] : []),
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options,
      allowPositionals: chosen.operand !== undefined,
      strict: true,
    })
    return { values, positionals }
  } catch (error) {
    throw new UsageError(withNearFlag(error, Object.keys(options)))
  }
}

const fileFlag = (name: string): string => `${kebab(name)}-file`

/** Node's words for what is wrong with a flag, and the flag that was meant where one is near. */
function withNearFlag(error: unknown, flags: string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const [, typed] = /^Unknown option '--([^'=]+)/.exec(message) ?? []
  if (typed === undefined) return message
  const [near] = nearNames(typed, [...flags, 'json', 'help'], (flag) => flag.startsWith(typed))
  return `Unknown flag --${typed}.${near ? ` Did you mean --${near}?` : ''}`
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
