/** Assembles the content of the site from the repository: pages with the site's links, pictures, and files. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endpointPages } from './endpoint-pages.ts'
import { linkPages, type Target } from './links.ts'
import { HOME, REFERENCE, SECTIONS, type SitePage } from './navigation.ts'

/** A page of the site: `first` is its first sentence. */
export type ContentPage = { address: string; text: string; title: string; first: string; markdown: string }
export type ContentSection = { text: string; pages: ContentPage[] }
export type Content = { home: ContentPage; sections: ContentSection[] }

const COMMENT = /<!--[\s\S]*?-->\n*/g

/** Returns the part of a page under one heading, with that heading as the title. */
function partOf(markdown: string, heading: string): string {
  const start = markdown.indexOf(`## ${heading}\n`)
  if (start === -1) throw new Error(`There is no heading "${heading}".`)
  const end = markdown.indexOf('\n## ', start)
  return markdown.slice(start + 1, end === -1 ? undefined : end + 1)
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? ''

/** Returns the first sentence of the text after the title, without marks of Markdown. */
function firstSentence(markdown: string): string {
  const body = markdown.slice(markdown.search(/^# /m)).replace(/^# .*$/m, '')
  const paragraph = body.split(/\n\s*\n/).find((block) => /^[A-Z"]/.test(block.trim())) ?? ''
  const text = paragraph.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
  return (/^.+?[.!?](?= [A-Z]|$)/.exec(text.trim())?.[0] ?? text.trim()).replaceAll('`', '')
}

/** The start page has its title and description above its text. */
const homeWords = (markdown: string): Pick<ContentPage, 'title' | 'first'> => ({
  title: 'Parley',
  first: /^description: (.+)$/m.exec(markdown)?.[1] ?? '',
})

/** The file of a page within the content: an address without an ending, as Markdown. */
export const fileOf = (address: string): string => `${address}.md`

/** Reads every page of the navigation, with links between pages of the site. */
export function readContent(root: string): Content {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8').replace(COMMENT, '')
  const sources = [HOME, ...SECTIONS.flatMap(({ pages }) => pages)]
  const addressOf = (address: string): string => address.replace(/(^|\/)index$/, '$1')
  const generated = endpointPages(JSON.parse(read('docs/reference/openapi.json')))
  const targets = new Map<string, Target>(
    sources.map(({ source, address, part }) => [
      source,
      { address: addressOf(address), title: part ?? titleOf(read(source)) },
    ]),
  )
  targets.set('docs/reference/endpoints.md', { address: 'reference/', title: 'API reference' })
  targets.set('docs/reference/openapi.json', { address: 'reference/', title: 'API reference' })
  const finished = (address: string, text: string, markdown: string): ContentPage => ({
    address,
    text,
    title: titleOf(markdown),
    first: firstSentence(markdown),
    markdown,
  })
  const pageOf = ({ address, source, text, part }: SitePage): ContentPage => {
    const whole = read(source)
    return finished(address, text, linkPages(part ? partOf(whole, part) : whole, source, targets))
  }
  return {
    home: { ...pageOf(HOME), ...homeWords(read(HOME.source)) },
    sections: SECTIONS.map(({ text, pages }) => ({
      text,
      pages: [
        ...pages.map(pageOf),
        ...(text === REFERENCE
          ? generated.map((page) => finished(page.address, page.text, page.markdown))
          : []),
      ],
    })),
  }
}

const pagesOf = ({ home, sections }: Content): ContentPage[] => [
  home,
  ...sections.flatMap(({ pages }) => pages),
]

/** Returns the list of pages for language models (llmstxt.org), with links to the Markdown of each. */
export const llmsText = ({ home, sections }: Content): string =>
  [
    `# Parley\n\n> ${home.first}\n`,
    ...sections.map(
      ({ text, pages }) =>
        `## ${text}\n\n${pages.map(({ address, title, first }) => `- [${title}](${fileOf(address)}): ${first}`).join('\n')}\n`,
    ),
  ].join('\n')

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The VitePress project without its content: configuration, theme, and the interactive reference. */
const OWN = import.meta.dirname

/** Writes the project that VitePress builds into `folder`. */
export function writeProject(root: string, folder: string): Content {
  const content = readContent(root)
  for (const { address, markdown } of pagesOf(content)) write(join(folder, fileOf(address)), markdown)
  cpSync(join(OWN, 'vitepress'), join(folder, '.vitepress'), { recursive: true })
  const sidebar = content.sections.map(({ text, pages }) => ({
    text,
    collapsed: text === REFERENCE ? true : undefined,
    items: pages.map((page) => ({ text: page.text, link: `/${page.address.replace(/index$/, '')}` })),
  }))
  const descriptions = Object.fromEntries(
    pagesOf(content).map(({ address, first }) => [fileOf(address), first]),
  )
  write(join(folder, '.vitepress/content.json'), JSON.stringify({ sidebar, descriptions }))
  cpSync(join(root, 'docs/guides/pictures'), join(folder, 'guides/pictures'), { recursive: true })
  return content
}

const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']

/** Adds the files that are no pages of VitePress: the interactive reference, lists, and Markdown texts. */
export function writeFiles(root: string, content: Content, out: string): void {
  cpSync(join(OWN, 'api'), out, { recursive: true })
  const swagger = join(root, 'node_modules/swagger-ui-dist')
  for (const name of SWAGGER_FILES) cpSync(join(swagger, name), join(out, 'api-page', name))
  for (const name of ['openapi.json', 'postman.json']) {
    const source = join(root, 'docs/reference', name)
    if (existsSync(source)) write(join(out, name), JSON.stringify(JSON.parse(readFileSync(source, 'utf8'))))
  }
  cpSync(join(root, 'dashboard/public/favicon.svg'), join(out, 'favicon.svg'))
  write(join(out, 'llms.txt'), llmsText(content))
  for (const { address, markdown } of pagesOf(content)) write(join(out, fileOf(address)), markdown)
}
