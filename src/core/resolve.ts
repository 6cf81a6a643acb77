import { type Issue, Refusal } from './errors.ts'
import { isUuid } from './ids.ts'
import { nearNames } from './values/near-names.ts'

/** An object that can be named by its id or by one of its names (spec 2.1). */
export type Named = { id: string; names: string[] }

// Lower-cases one letter at a time, as most databases do: a Greek capital at the end of a word and the Turkish İ become other
// letters.
const lettersLower = (text: string): string =>
  Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('')

/**
 * Whether two names are the same in any case and with any spelling of accents. Both ways of lower-casing count, so that a name
 * that passes here also passes a unique index on lower().
 */
export const isSameName = (name: string, other: string): boolean => {
  const [a, b] = [name.trim().normalize('NFC'), other.trim().normalize('NFC')]
  return a.toLowerCase() === b.toLowerCase() || lettersLower(a) === lettersLower(b)
}

/**
 * Returns the candidate with the id or the name `ref`, in any case. An unknown or ambiguous name returns 400 `invalid`,
 * never guessed; the message lists similar names and points to the full list (`listedAt`).
 */
export function resolveNamed<Candidate extends Named>(
  ref: string,
  candidates: Candidate[],
  options: { field: string; what: string; listedAt: string },
): Candidate | Refusal {
  const key = ref.trim().toLowerCase()
  const found = candidates.filter(
    (candidate) =>
      (isUuid(key) && candidate.id === key) || candidate.names.some((name) => isSameName(name, ref)),
  )
  if (found.length === 1) return found[0]!
  const message =
    found.length > 1
      ? `"${ref}" is the name of several. Use the id.`
      : `No ${options.what} is called "${ref}".${suggestNames(key, candidates)} See ${options.listedAt}.`
  const issues: Issue[] = [{ path: options.field, message }]
  return new Refusal('invalid', `${options.field}: ${message}`, { issues })
}

function suggestNames(key: string, candidates: Named[]): string {
  const names = candidates.flatMap((candidate) => candidate.names.slice(0, 1))
  const suggestions = nearNames(key, names, (name) => startsLikeKey(key, name)).map((name) => `"${name}"`)
  return suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`
}

const startsLikeKey = (key: string, name: string): boolean =>
  key.length > 1 && (name.toLowerCase().startsWith(key) || key.startsWith(name.toLowerCase()))
