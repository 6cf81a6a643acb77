import { parsePhone } from '../../../../core/phone.ts'
import { isMobile } from './is-mobile.ts'

/**
 * The number in E.164 that a text means; undefined when it means none. `givenCode`: the calling code of the country that stands beside a
 * national number; `defaultCode`: the workspace's.
 */
export function readNumber(
  text: string,
  givenCode: string | undefined,
  defaultCode: string,
): string | undefined {
  const digits = text.replace(/\D/g, '')
  if (givenCode === undefined || isInternational(text) || digits.length < 4)
    return parsePhone(text, defaultCode)
  const national = parsePhone(`+${givenCode}${digits}`, defaultCode)
  const whole = digits.startsWith(givenCode) ? parsePhone(`+${digits}`, defaultCode) : undefined
  if (national === undefined || whole === undefined) return national ?? whole ?? parsePhone(text, defaultCode)
  return isMobile(whole) && !isMobile(national) ? whole : national
}

/** Whether a number says its country itself. */
export const isInternational = (text: string): boolean => /^\s*[+＋(]*\s*(?:\+|＋|00)/.test(text)
