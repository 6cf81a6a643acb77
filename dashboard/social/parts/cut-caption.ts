/** The network cuts captions after about this many characters, or after two lines. */
const SHOWN_CHARACTERS = 125
const SHOWN_LINES = 2

/** Returns the start of a caption that is shown at first; undefined if the whole is short. */
export function cutCaption(caption: string): string | undefined {
  const lines = caption.split('\n').slice(0, SHOWN_LINES).join('\n')
  const letters = Array.from(lines)
  if (letters.length <= SHOWN_CHARACTERS) return lines === caption ? undefined : lines
  const start = letters.slice(0, SHOWN_CHARACTERS).join('')
  // A word stays whole, unless it is very long.
  const space = start.search(/\s\S*$/)
  return (space > SHOWN_CHARACTERS / 2 ? start.slice(0, space) : start).trimEnd()
}

/** Returns the beginning of a caption on one line, as the name of its post. */
export function captionName(caption: string, max = 60): string {
  const letters = Array.from(caption.replaceAll(/\s+/g, ' ').trim())
  return letters.length <= max ? letters.join('') : `${letters.slice(0, max).join('').trimEnd()}…`
}
