/** What keeps a text from standing for a placeholder (docs/formats.md section 6.3, code 132018), in words; nothing when it may. */
export function parameterFault(text: string): string | undefined {
  if (text.trim() === '') return 'must not be blank'
  if (/[\n\r\t]| {5,}/.test(text))
    return 'must not contain new lines, tabs, or more than four spaces in a row'
  return undefined
}

/** Longest verification code and coupon code. */
export const CODE_MAX = 15

/** Most characters of a header once it is filled, and of a body that stands alone or among other components (code 132005). */
export const HEADER_MAX = 60
export const BODY_MAX = 1024
export const LONE_BODY_MAX = 32_768
