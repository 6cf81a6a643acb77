/** Texts that are expensive to read: each is a part to repeat, and an unexpected end. */

export const WORST_TEXTS: Record<string, { part: string; end: string }> = {
  'one letter': { part: 'a', end: '!' },
  blanks: { part: ' ', end: 'x' },
  digits: { part: '9', end: 'x' },
  'digits of another script': { part: '٩', end: 'x' },
  'separators of numbers': { part: '+1 (2)-', end: 'x' },
  'places to fill': { part: '{{contact.name}}', end: '{{' },
  'numbered places': { part: '{{1}}', end: '{{1}' },
  'open braces': { part: '{', end: '}' },
  'open brackets': { part: '[(<', end: 'x' },
  'open tags': { part: '<a href="', end: '>' },
  quotes: { part: '"', end: 'x' },
  'quotes and delimiters': { part: '","', end: '\n"' },
  'lines of open quotes': { part: '"a\n', end: 'x' },
  'short lines': { part: 'a\r\n', end: '\r' },
  'an e-mail of many dots': { part: 'a.', end: '@a.' },
  'many @': { part: 'a@', end: '.' },
  'an address': { part: 'http://a.', end: ' ' },
  slashes: { part: '/../', end: '%' },
  backslashes: { part: '\\', end: '"' },
  'marks of formatting': { part: '*_~`', end: '*' },
  'combining marks': { part: 'e\u0301\u0328', end: '\u0301' },
  'marks nobody sees': { part: '\u200b\u200d\ufeff', end: 'a' },
  'letters that grow': { part: '\ufdfa', end: 'İ' },
  'emoji families': { part: '👩‍👩‍👧‍👦', end: '👩‍' },
  'halves of a letter': { part: '\ud83d', end: '\ude00' },
  'a date of many parts': { part: '2026-01-01T', end: 'Z' },
}

/** Returns a worst text of at most `length` UTF-16 units. */
export function worstText(name: string, length: number): string {
  const { part, end } = WORST_TEXTS[name]!
  const times = Math.max(0, Math.floor((length - end.length) / part.length))
  return (part.repeat(times) + end).slice(0, Math.max(0, length))
}

export const WORST_NAMES = Object.keys(WORST_TEXTS)
