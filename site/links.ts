/** Turns links between files of the repository into links between pages of the site. */
import { posix } from 'node:path'

/** The address and the title of the page that a file of the repository has on the site. */
export type Target = { address: string; title: string }

const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g
const MENTION = /`((?:docs\/)?[\w./-]+\.md)`/g
const isOutside = (href: string): boolean => /^[a-z]+:/.test(href)

type Stretch = { isCode: boolean; lines: string[] }

/** Splits a page into stretches of code and of prose. A label of a link may continue on the next line. */
function splitCode(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let isFenced = false
  for (const line of text.split('\n')) {
    const isFence = /^\s*```/.test(line)
    const isCode = isFenced || isFence || /^ {4}/.test(line)
    if (isFence) isFenced = !isFenced
    const last = stretches.at(-1)
    if (last?.isCode === isCode) last.lines.push(line)
    else stretches.push({ isCode, lines: [line] })
  }
  return stretches
}

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
  const rewrite = (prose: string): string => prose.replace(MENTION, rewriteMention).replace(LINK, rewriteLink)
  return splitCode(text)
    .map(({ isCode, lines }) => (isCode ? lines.join('\n') : rewrite(lines.join('\n'))))
    .join('\n')
}
