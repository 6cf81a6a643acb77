// The type of a CLI command, and the parser of its arguments.
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { nearNames } from '../core/values/near-names.ts'
import { FROM_STANDARD_INPUT, readSecret } from './read-secret.ts'

/** Invalid arguments: exit code 2, and the usage is shown. */
export class UsageError extends Error {}

/** One `--flag`. `placeholder` null: a switch without a value. `parse` throws UsageError for an invalid value. */
export type Flag<T> = {
  placeholder: string | null
  parse: (text: string) => T | Promise<T>
  required?: boolean
  /** May be given more than once; its value is a list. */
  repeats?: boolean
  /** May also be read from a file (`--NAME-file PATH`) or from standard input (`-`). */
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

/** The environment of a command, besides its flags. */
export type CommandContext = {
  config: () => Config
  /** Writes a line to standard error, for the person. */
  say: (line: string) => void
  /** Writes a line to standard output after the result, from a command that keeps running. */
  print: (line: string) => void
  /** True if programs read standard output. */
  json: boolean
  /** Keeps the command running after its result was printed, until the person stops it; then calls `close`. */
  stayUntilStopped: (close: () => Promise<void>) => void
}

/** The result is printed; a result with `ok: false` makes the exit code 1. */
export type Command = {
  name: string
  summary: string
  /** A required argument without a flag; its value is `operand`. */
  operand?: string
  /** A flag that replaces the operand, which is empty then. */
  insteadOfOperand?: string
  flags: Flags
  /** Standard output belongs to a program that started the command: the result is not printed. */
  silent?: true
  run(values: Record<string, unknown>, context: CommandContext): Promise<object>
}

/**
 * Declares a command; `run` receives the typed values of its flags under their names here (`countryCode` is `--country-code`).
 */
export function command<F extends Flags>(declared: {
  name: string
  summary: string
  operand?: string
  insteadOfOperand?: keyof F & string
  flags: F
  silent?: true
  run(values: Values<F> & { operand: string }, context: CommandContext): Promise<object>
}): Command {
  return {
    ...declared,
    run: (values, context) => declared.run(values as Values<F> & { operand: string }, context),
  }
}

/**
 * Parses the arguments after a command's name into values by flag name. Throws UsageError with every usage fault; if there is
 * none, the other error of a flag's `parse`.
 */
export async function readFlags(chosen: Command, words: string[]): Promise<Record<string, unknown>> {
  const { values: texts, positionals } = parseWords(chosen, words)
  const faults: string[] = []
  const refusals: unknown[] = []
  const values: Record<string, unknown> = {}
  if (chosen.operand !== undefined) {
    const { insteadOfOperand: instead } = chosen
    const isReplaced = instead !== undefined && texts[kebab(instead)] !== undefined
    values.operand = positionals[0] ?? ''
    if (positionals.length !== (isReplaced ? 0 : 1))
      faults.push(`Give one ${chosen.operand}${instead === undefined ? '' : `, or --${kebab(instead)}`}.`)
  }
  for (const [name, flag] of Object.entries(chosen.flags)) {
    try {
      const text = flag.secret ? secretOf(name, texts) : texts[kebab(name)]
      if (Array.isArray(text)) values[name] = await Promise.all(text.map((item) => flag.parse(String(item))))
      else if (typeof text === 'string') values[name] = await flag.parse(text)
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

/** Returns the text of a secret, which was given directly or is read from its file. */
function secretOf(name: string, texts: Words['values']): string | undefined {
  const [value, file] = [texts[kebab(name)], texts[fileFlag(name)]].map((text) =>
    typeof text === 'string' ? text : undefined,
  )
  if (value !== undefined && file !== undefined)
    throw new UsageError(`Give this flag or --${fileFlag(name)}, not both.`)
  const path = value === FROM_STANDARD_INPUT ? value : file
  if (path === undefined) return value
  try {
    return readSecret(path)
  } catch (error) {
    const reason =
      error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
    throw new UsageError(`Can't be read from ${path}: ${reason}.`)
  }
}

/** Help text about secrets, for commands that need them. */
export const SECRETS_HELP =
  'To keep a secret out of the process list, give it in a file (--NAME-file PATH) or on standard input (-).'

/** Returns one line: the command with its flags, optional flags in brackets. */
export function usageLine(shown: Command): string {
  const { insteadOfOperand: instead } = shown
  const replacing =
    instead === undefined ? null : `--${kebab(instead)} ${shown.flags[instead]?.placeholder ?? ''}`.trim()
  const operand = replacing === null ? shown.operand : `${shown.operand}|${replacing}`
  const shownFlags = Object.entries(shown.flags).filter(([name]) => name !== instead)
  const flags = shownFlags.map(([name, { placeholder, required, repeats, secret }]) => {
    const plain = placeholder === null ? `--${kebab(name)}` : `--${kebab(name)} ${placeholder}`
    const words = secret ? `${plain}|--${fileFlag(name)} PATH` : plain
    return required ? words : `[${words}]${repeats ? '...' : ''}`
  })
  return [shown.name, ...(operand === undefined ? [] : [operand]), ...flags].join(' ')
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

/** Returns Node's message about an invalid flag, with the nearest valid flag if there is one. */
function withNearFlag(error: unknown, flags: string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const [, typed] = /^Unknown option '--([^'=]+)/.exec(message) ?? []
  if (typed === undefined) return message
  const [near] = nearNames(typed, [...flags, 'json', 'help'], (flag) => flag.startsWith(typed))
  return `Unknown flag --${typed}.${near ? ` Did you mean --${near}?` : ''}`
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
