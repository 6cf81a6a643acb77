import { t } from './texts.ts'

/** The encodings offered; the server supports more. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'windows-1256',
  'macintosh',
  'shift_jis',
  'gb18030',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Returns the common name of an encoding. */
export const encodingName = (encoding: string): string => {
  const knownEncoding = ENCODINGS.find((candidate) => candidate === encoding)
  return knownEncoding ? t(`encoding.${knownEncoding}`) : encoding
}
