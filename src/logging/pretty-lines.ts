/** Formats log lines for people at a terminal: `14:03:05 INFO request  GET /contacts 200 3 ms`, in color. */
import { createRequire } from 'node:module'
import type { prettyFactory } from 'pino-pretty'

/** Returns a function that formats whole JSON lines for people; any other line stays unchanged. */
export function prettyLines(): (text: string) => string {
  // Loaded only at a terminal: services write JSON.
  const library = createRequire(import.meta.url)('pino-pretty') as { prettyFactory: typeof prettyFactory }
  const pretty = library.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    // The field `error` is a code here.
    errorLikeObjectKeys: ['err'],
  })
  const lineOf = (line: string): string => (line.startsWith('{') ? pretty(line) : `${line}\n`)
  return (text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => lineOf(line))
      .join('')
}
