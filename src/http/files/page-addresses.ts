/**
 * Tells which addresses are dashboard pages. All others are 404, so that probes and crawlers don't take the
 * page for an answer.
 */
import { PAGE_PATHS } from './page-paths.ts'

const part = (text: string): string => {
  if (/^\{-\$\w+\}$/.test(text)) return '(?:/[^/]+)?'
  return `/${/^\$\w+$/.test(text) ? '[^/]+' : text}`
}

const patternOf = (path: string): string =>
  path
    .split('/')
    .filter((text) => text !== '')
    .map(part)
    .join('')

const PAGES = new RegExp(`^(?:${PAGE_PATHS.map(patternOf).join('|')})/?$`)

/** Returns whether the path, without its query, is a page. */
export const isPageAddress = (path: string): boolean => PAGES.test(path)
