/**
 * Numbers with more than one spelling for the same subscriber: a country changed its mobile numbers, and the chat network names
 * accounts by the old spelling, or by both.
 *
 * Sources: Brazil, Anatel resolution 553/2010 (ninth digit for mobile numbers, which start with 6 to 9). Mexico, IFT plan of 2
 * August 2019 (the `1` after 52 is no longer dialed). Argentina, ENACOM's fundamental numbering plan (`9` after 54 for mobile
 * numbers; blocks of fixed and mobile numbers do not overlap). Benin, ARCEP decision 2024 (`01` before eight digits since 30
 * November 2024). Ivory Coast, ARTCI (ten digits since 31 January 2021; the prefix names the operator). Vietnam, Ministry of
 * Information plan 798/QD-BTTTT (eleven-digit mobile numbers became ten in 2018). Gabon, ARCEP (a digit before mobile numbers
 * since 2019).
 */

/** National numbers of one calling code: numbers that match `pattern` can be written in each of `forms`. */
type SpellingRule = { pattern: RegExp; forms: string[] }

const VIETNAM_PREFIXES: Record<string, string> = {
  '162': '32',
  '163': '33',
  '164': '34',
  '165': '35',
  '166': '36',
  '167': '37',
  '168': '38',
  '169': '39',
  '120': '70',
  '121': '79',
  '122': '77',
  '126': '76',
  '128': '78',
  '123': '83',
  '124': '84',
  '125': '85',
  '127': '81',
  '129': '82',
  '186': '56',
  '188': '58',
  '199': '59',
}

const RULES: Record<string, SpellingRule[]> = {
  '52': [{ pattern: /^1?([2-9]\d{9})$/, forms: ['$1', '1$1'] }],
  '54': [{ pattern: /^9?([1-8]\d{9})$/, forms: ['9$1', '$1'] }],
  '55': [{ pattern: /^([1-9]\d)9?([6-9]\d{7})$/, forms: ['$19$2', '$1$2'] }],
  '84': Object.entries(VIETNAM_PREFIXES).map(([old, present]) => ({
    pattern: new RegExp(`^(?:${old}|${present})(\\d{7})$`),
    forms: [`${present}$1`, `${old}$1`],
  })),
  '225': [
    { pattern: /^(?:01)?([04-9][0-3]\d{6})$/, forms: ['01$1', '$1'] },
    { pattern: /^(?:05)?([04-9][4-6]\d{6})$/, forms: ['05$1', '$1'] },
    { pattern: /^(?:07)?([04-9][7-9]\d{6})$/, forms: ['07$1', '$1'] },
  ],
  '229': [{ pattern: /^(?:01)?([2-9]\d{7})$/, forms: ['01$1', '$1'] }],
  '241': [
    { pattern: /^[06]([256]\d{6})$/, forms: ['6$1', '0$1'] },
    { pattern: /^[07]([47]\d{6})$/, forms: ['7$1', '0$1'] },
  ],
}

const CODES = Object.keys(RULES)
const FIRST_DIGITS: ReadonlySet<string | undefined> = new Set(CODES.map((code) => code[0]))

/** Prefixes of all numbers that may have several spellings (`+55`). */
export const SPELLED_PREFIXES: readonly string[] = CODES.map((code) => `+${code}`)

/**
 * Returns the other spellings of a number in E.164 (`+5511987654321`: `['+551187654321']`), usually none. The spelling that is
 * dialed today comes first.
 */
export function otherSpellings(e164: string): string[] {
  // Most numbers have one spelling, and this runs for every request.
  if (!FIRST_DIGITS.has(e164[1])) return []
  const code = CODES.find((candidate) => e164.startsWith(candidate, 1))
  if (code === undefined) return []
  const national = e164.slice(1 + code.length)
  const rule = RULES[code]!.find(({ pattern }) => pattern.test(national))
  if (rule === undefined) return []
  return rule.forms
    .map((form) => `+${code}${national.replace(rule.pattern, form)}`)
    .filter((spelling) => spelling !== e164)
}

/** Returns the same key for every known spelling of a number: two numbers with one person key reach one subscriber. */
export function personKey(e164: string): string {
  const others = otherSpellings(e164)
  return others.length === 0 ? e164 : [e164, ...others].sort()[0]!
}
