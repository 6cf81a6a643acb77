/** Decodes the text of forms on other websites, some of which aren't in UTF-8. */

// Browsers read ISO-8859-1 as windows-1252.
const OLD_PAGES = 'windows-1252'

const decoded = (bytes: Buffer, charset: string): string | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true })
    // The separators of a form are ASCII, so its values can't be UTF-16.
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the charset in a content type. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]

/**
 * Decodes bytes in the declared charset, else in UTF-8, else in windows-1252, which has a character for every
 * byte. A charset that is unknown or doesn't fit the bytes is ignored.
 */
export const formText = (bytes: Buffer, charset = 'utf-8'): string =>
  decoded(bytes, charset) ?? decoded(bytes, 'utf-8') ?? decoded(bytes, OLD_PAGES)!
