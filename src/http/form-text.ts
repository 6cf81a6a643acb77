/** Text of forms on other people's pages, which are not all in UTF-8. */

// By the names that browsers know it under, ISO-8859-1 is this one too.
const OLD_PAGES = 'windows-1252'

const decoded = (bytes: Buffer, charset: string): string | undefined => {
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true })
    // What goes between its separators is ASCII: no form is in two bytes a character.
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The charset that a content type names. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]

/**
 * The text that `bytes` are: in the charset that is said, else in UTF-8, else in that of old pages, which has a character for
 * every byte. A charset that nobody knows, or that the bytes are not in, is not believed.
 */
export const formText = (bytes: Buffer, charset = 'utf-8'): string =>
  decoded(bytes, charset) ?? decoded(bytes, 'utf-8') ?? decoded(bytes, OLD_PAGES)!
