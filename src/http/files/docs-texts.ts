/** The pages of the documentation as Markdown, for assistants. The build lists them in `llms.txt`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPagesState } from '../../../bin/pages.mjs'

/** `name` is the address below /docs/: `guides/agents`. */
export type DocsText = { name: string; title: string; description: string }

const ENTRY = /^- \[(?<title>.+?)\]\((?<name>[\w/-]+)\.md\): (?<description>.+)$/gm

const buildIn = (folder: string): string | undefined => {
  const state = readPagesState(folder)
  return state?.state === 'built' ? join(folder, state.hash) : undefined
}

/** Returns the pages of the current build; none before the first one. */
export async function listDocsTexts(folder: string): Promise<DocsText[]> {
  const build = buildIn(folder)
  if (build === undefined) return []
  const list = await readFile(join(build, 'llms.txt'), 'utf8')
  return [...list.matchAll(ENTRY)].map(({ groups }) => ({ ...groups }) as DocsText)
}

/** Returns the text of a page; undefined if there is no page of that name. */
export async function readDocsText(folder: string, name: string): Promise<string | undefined> {
  const pages = await listDocsTexts(folder)
  const build = buildIn(folder)
  if (build === undefined || !pages.some((page) => page.name === name)) return undefined
  return readFile(join(build, `${name}.md`), 'utf8')
}
