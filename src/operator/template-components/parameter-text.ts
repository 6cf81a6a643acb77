/**
 * Returns why a text cannot fill a placeholder (docs/formats.md section 6.3, code 132018); undefined if it
 * can.
 */
export function parameterFault(text: string): string | undefined {
  if (text.trim() === '') return 'must not be blank'
  if (/[\n\r\t]| {5,}/.test(text))
    return 'must not contain new lines, tabs, or more than four spaces in a row'
  return undefined
}

/** Maximum length of a verification code and a coupon code. */
export const CODE_MAX = 15

/**
 * Maximum characters of a filled header, and of a filled body alone or with other components (code 132005).
 */
export const HEADER_MAX = 60
export const BODY_MAX = 1024
export const LONE_BODY_MAX = 32_768
