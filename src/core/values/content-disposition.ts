/**
 * Returns the header that says whether a browser shows or saves a file, and under which name (RFC 6266): a plain name, and the
 * full name in UTF-8 if it differs.
 */
export function contentDisposition(filename: string, inline: boolean): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const kind = inline ? 'inline' : 'attachment'
  if (plain === filename) return `${kind}; filename="${plain}"`
  const full = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}
