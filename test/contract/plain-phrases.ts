/** Phrases that a stranger reads twice, for the tests of plain English (CONTRIBUTING.md, "Plain English"). */

/** Vague pronouns, and turns of phrase with an ordinary verb. */
const VAGUE =
  /\b(?:whoever|whomever|nobody|somebody|anybody|anew|once more|(?:goes|go|went) by|stands?(?!-ins?\b)|stood|holds (?:for|where)|tak(?:es?|en|ing) back|at once)\b/gi

/** In a text for people also the passive that hides who refuses and why, and two phrases with a double meaning. */
const HIDDEN = /\b(?:(?:is|are) refused|whichever|holds that)\b/gi

/** A sentence that begins with a question word and ends without a question mark. */
const CLAUSE = /(?:^|[.!:;] )((?:What|Who|Whose|Whatever) [a-z][^.!?]*)(?=[.!]|$)/g

const vagueIn = (text: string): string[] => [
  ...(text.match(VAGUE) ?? []),
  ...[...text.matchAll(CLAUSE)].map(([, clause]) => clause!),
]

/** Returns the odd phrases of a text that people read, and its sentences with a clause as their subject. */
export const findOdd = (text: string): string[] => [...vagueIn(text), ...(text.match(HIDDEN) ?? [])]

/** Returns the same for a comment or the title of a test, in which a request can be refused. */
export const findOddInCode = (text: string): string[] => vagueIn(text.replace(/`[^`]*`/g, 'X'))
