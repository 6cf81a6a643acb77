import { cutText } from '../../../core/values/cut-text.ts'

/** The longest file name (spec 8.2). */
export const FILENAME_MAX = 200

/**
 * Returns a safe file name: the last part of a path, without control characters and characters that reverse
 * the text direction, at most 200 characters. Null if nothing remains.
 */
export function safeFilename(text: string): string | null {
  const last = text.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = last.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '').trim()
  if (plain === '' || /^\.+$/.test(plain)) return null
  return cutText(plain, FILENAME_MAX)
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
}

/** Returns a name for a file without one: `image.jpg`. */
export const nameFor = (kind: string, mimeType: string): string =>
  Object.hasOwn(EXTENSIONS, mimeType) ? `${kind}.${EXTENSIONS[mimeType]}` : kind
