/** The pages of the documentation that assistants may read, as `parley://docs/…`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../core/installation-root.ts'

/** The pages by address, with their titles. Each is a file of `docs/`. */
const PAGES: Record<string, string> = {
  concepts: 'Concepts',
  'guides/agents': 'Answer customers in the inbox',
  'guides/assistants': 'Connect an AI assistant (MCP)',
  'guides/automations': 'Automate routine work',
  'guides/bots': 'Auto-replies and bots',
  'guides/developers': 'Build on Parley',
  'guides/marketing': 'Templates and campaigns',
  'guides/owners': 'Run a workspace',
  'guides/payments': 'Payments in the chat',
  'guides/photo-network': 'Connect the photo network',
  'guides/publishing-posts': 'Posts on the photo network',
  'guides/sales': 'Leads, tasks, and contacts',
  'guides/shops': 'Connect a shop',
  'guides/single-sign-on': 'Single sign-on',
  'guides/tax': 'Tax on documents',
  'reference/endpoints': 'Endpoints',
  'reference/errors': 'Errors',
  'reference/events': 'Events',
  'reference/mcp': 'Tools of assistants',
  'reference/rate-limits': 'Rate limits',
  spec: 'Specification',
}

const PREFIX = 'parley://docs/'
const MARKDOWN = 'text/markdown'

export const documentationPages = Object.entries(PAGES).map(([name, title]) => ({
  uri: PREFIX + name,
  name,
  title,
  mimeType: MARKDOWN,
}))

/** Returns the text of a page; undefined for another address. */
export async function readPage(uri: string) {
  const page = documentationPages.find((known) => known.uri === uri)
  if (!page) return undefined
  return { uri, mimeType: MARKDOWN, text: await readFile(join(ROOT, 'docs', `${page.name}.md`), 'utf8') }
}
