/** Finds the numbers in a cell. Address books join several, with or without labels. */
import { plainDigits } from '../../../../../core/values/plain-digits.ts'
import { unguarded } from './strip-guards.ts'

/** `text`: a number as written. `label`: its purpose, in the words of the file. */
export type NumberCandidate = { text: string; label: string }

const MAX_CHARACTERS = 500
const MAX_NUMBERS = 10
const BETWEEN = /:::|[,;|\n\r،、，；]|\s(?:or|and|ou|oder|y|या|और)\s|\s[/&]\s/u
const MIN_DIGITS = 7
/** A slash separates two numbers only if each has the length of a number. */
const MIN_BESIDE_SLASH = 8
const NOTE = /[([<{]([^\d()[\]<>{}]+)[)\]>}]/g
const LABEL_BEFORE = /^\s*(\p{L}[\p{L}\p{M} .#/]{0,30}?)\s*[:=-]\s*(?=[+(\d])/u
const WORD_BEFORE = /^\s*(\p{L}[\p{L}\p{M}.]{0,15})\s+(?=[+(\d])/u
const WORD_AFTER = /(?<=\d)[\s,/-]+(\p{L}[\p{L}\p{M}.]{0,15})$/u

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

function withoutLabel(part: string): NumberCandidate {
  const labels: string[] = []
  const take = (pattern: RegExp) => (text: string) =>
    text.replace(pattern, (_, label: string) => {
      labels.push(label)
      return ' '
    })
  const bare = [NOTE, LABEL_BEFORE, WORD_BEFORE, WORD_AFTER].reduce(
    (left, pattern) => take(pattern)(left),
    part,
  )
  return { text: bare.trim(), label: labels.join(' ') }
}

function parts(text: string): string[] {
  const split = text.split(BETWEEN).filter((part) => digitsIn(part) >= MIN_DIGITS)
  const found = split.length > 0 ? split : [text]
  return found.flatMap((part) => {
    const pieces = part.split('/')
    return pieces.length > 1 && pieces.every((piece) => digitsIn(piece) >= MIN_BESIDE_SLASH) ? pieces : [part]
  })
}

/** Returns the numbers of a cell, in order, or the whole cell if it shows no number. */
export function numberCandidates(cell: string): NumberCandidate[] {
  if (cell.length > MAX_CHARACTERS) return [{ text: cell, label: '' }]
  return parts(plainDigits(unguarded(cell)))
    .slice(0, MAX_NUMBERS)
    .map(withoutLabel)
}
