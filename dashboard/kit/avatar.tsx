import { classes } from './classes.ts'

const TONES = [
  'bg-accent-soft text-accent',
  'bg-good-soft text-good',
  'bg-warn-soft text-warn',
  'bg-bad-soft text-bad',
  'bg-note-soft text-note',
]
const toneOf = (name: string): string =>
  TONES[Array.from(name).reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % TONES.length]!

/** Returns the first letters of the first and last word; for a number, its last two digits. */
function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word))
  if (words.length === 0) return name.replace(/\D/g, '').slice(-2) || '?'
  const letters = [words[0]!, ...(words.length > 1 ? [words.at(-1)!] : [])]
  return letters
    .map((word) => Array.from(word.replace(/^[^\p{L}]+/u, ''))[0] ?? '')
    .join('')
    .toUpperCase()
}

const SIZES = { sm: 'size-6 text-[0.625rem]', md: 'size-9 text-sm', lg: 'size-14 text-lg' }

/** Shows a person's initials. The name appears next to it, so screen readers skip it. */
export const Avatar = ({ name, size = 'md' }: { name: string; size?: keyof typeof SIZES }) => (
  <span
    aria-hidden
    className={classes(
      'flex shrink-0 items-center justify-center rounded-full font-semibold select-none',
      SIZES[size],
      toneOf(name),
    )}
  >
    {initialsOf(name)}
  </span>
)
