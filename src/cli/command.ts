// What a command of the command line is, and how its words are read.
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'

/** Wrong words on the command line: exit code 2, and the usage is shown. */
export class UsageError extends Error {}

/** One `--flag`. `placeholder` null: a switch without a value. `parse` throws UsageError on a value that cannot be. */
export type Flag<T> = { placeholder: string | null; parse: (text: string) => T; required?: boolean }
type RequiredFlag<T> = Flag<T> & { required: true }
type Flags = Record<string, Flag<unknown>>
type Values<F extends Flags> = {
  [K in keyof F]: F[K] extends RequiredFlag<infer T> ? T : F[K] extends Flag<infer T> ? T | undefined : never
}

/** What a command has to work with beside its flags. */
export type Surroundings = {
  config: () => Config
  /** Reaches the person, never standard output. */
  say: (line: string) => void
  /** Goes on after the answer was printed, until the person stops it; then `close` ends what goes on. */
  stayUntilStopped: (close: () => Promise<void>) => void
}

/** The answer is printed; one with `ok: false` makes the exit code 1. */
export type Command = {
  name: string
  summary: string
  flags: Flags
  run(values: Record<string, unknown>, surroundings: Surroundings): Promise<object>
}

/** Declares a command; `run` gets its flags' values under their names here, typed (`countryCode` is `--country-code`). */
export function command<F extends Flags>(declared: {
  name: string
  summary: string
  flags: F
  run(values: Values<F>, surroundings: Surroundings): Promise<object>
}): Command {
  return { ...declared, run: (values, surroundings) => declared.run(values as Values<F>, surroundings) }
}

/**
 * Reads the words after a command's name into values by flag name. Throws UsageError naming every fault; when the
 * usage is right, what else a flag's `parse` threw.
 */
export function readFlags(chosen: Command, words: string[]): Record<string, unknown> {
  const texts = parseWords(chosen, words)
  const faults: string[] = []
  const refusals: unknown[] = []
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(chosen.flags)) {
    const text = texts[kebab(name)]
    try {
      if (typeof text === 'string') values[name] = flag.parse(text)
      else if (text === true) values[name] = true
      else if (flag.required) faults.push(`--${kebab(name)} is missing`)
    } catch (error) {
      if (error instanceof UsageError) faults.push(`--${kebab(name)}: ${error.message}`)
      else refusals.push(error)
    }
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  if (refusals.length > 0) throw refusals[0]
  return values
}

/** One line: the command with its flags, optional ones in brackets. */
export function usageLine(shown: Command): string {
  const flags = Object.entries(shown.flags).map(([name, { placeholder, required }]) => {
    const words = placeholder === null ? `--${kebab(name)}` : `--${kebab(name)} ${placeholder}`
    return required ? words : `[${words}]`
  })
  return [shown.name, ...flags].join(' ')
}

function parseWords(chosen: Command, words: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    Object.entries(chosen.flags).map(([name, { placeholder }]) => [
      kebab(name),
      { type: placeholder === null ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    return parseArgs({ args: words, options, allowPositionals: false, strict: true }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
