/** How a browser is to treat a file and what to call it (RFC 6266): a plain name, and the full one in UTF-8. */
export function contentDisposition(filename: string, inline: boolean): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${full}`
}
