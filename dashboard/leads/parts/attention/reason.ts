import type { Summary } from './queries.ts'
import { t } from './texts.ts'

const NAMED = [
  'no_number',
  'bad_number',
  'plan_limit_reached',
  'invalid_json',
  'unsupported_media_type',
  'payload_too_large',
  'test',
  'robot',
  'empty',
] as const
const HELPED = ['no_number', 'bad_number', 'plan_limit_reached'] as const

/** Returns briefly why a submission did not become a lead; undefined if it did. */
export function reasonOf({ reason }: Pick<Summary, 'reason'>): string | undefined {
  if (reason === null) return undefined
  const named = NAMED.find((candidate) => candidate === reason.code)
  return t(named === undefined ? 'reason.other' : `reason.${named}`)
}

/** Returns how to fix it. */
export function helpOf({ reason }: Pick<Summary, 'reason'>): string {
  const named = HELPED.find((candidate) => candidate === reason?.code)
  return t(named === undefined ? 'help.other' : `help.${named}`)
}
