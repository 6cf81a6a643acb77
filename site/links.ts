/** Turns links between files of the repository into links between pages of the site. */
import { posix } from 'node:path'

/** The address and the title of the page that a file of the repository has on the site. */
export type Target = { address: string; title: string }

const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g
const MENTION = /`((?:docs\/)?[\w./-]+\.md)`/g
const isOutside = (href: string): boolean => /^[a-z]+:/.test(href)
const isCode = (line: string): boolean => /^ {4}/.test(line)

/**
 * Returns the text of `source` with the site's addresses. A file without a page keeps its name and loses its
 * link. Mentions of files with a page (`docs/operating.md`) become links.
 */
export function linkPages(text: string, source: string, targets: Map<string, Target>): string {
  const folder = posix.dirname(source)
  const rewriteLink = (whole: string, mark: string, label: string, href: string): string => {
    if (mark || isOutside(href) || href.startsWith('#')) return whole
    const [path = '', anchor] = href.split('#')
    if (path.startsWith('/')) return whole
    const target = targets.get(posix.join(folder, path))
    if (!target) return label
    return `[${label}](/${target.address}${anchor ? `#${anchor}` : ''})`
  }
  const rewriteMention = (whole: string, path: string): string => {
    const target = targets.get(path)
    return target && path !== source ? `[${target.title}](/${target.address})` : whole
  }
  let isFenced = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) isFenced = !isFenced
      if (isFenced || isCode(line)) return line
      return line.replace(MENTION, rewriteMention).replace(LINK, rewriteLink)
    })
    .join('\n')
}
