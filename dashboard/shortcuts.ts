/** Reads the shortcuts of every page, to show or change them; loaded on request. */
import type { Command } from './commands.ts'
import { PAGES, type PageValue } from './pages.ts'
import { isLetter } from './shell/changed-keys.ts'

/** The actions of one letter on a page: they are never available at the same time, or are equivalent. */
export type Shortcut = { keys: string; titles: string[] }

type Table = readonly Command<never, never>[]
type PageCommands = { tables: Table[]; t: (key: never) => string }
const load = async (
  commands: Promise<Record<string, unknown>>,
  texts: Promise<{ t: (key: never) => string }>,
): Promise<PageCommands> => ({
  tables: Object.values(await commands).filter((value) => Array.isArray(value)) as Table[],
  t: (await texts).t,
})

/** By page ID. */
const TABLES: Record<string, () => Promise<PageCommands>> = {
  inbox: () => load(import('./inbox/commands.ts'), import('./inbox/texts.ts')),
  contacts: () => load(import('./contacts/commands.ts'), import('./contacts/texts.ts')),
  leads: () => load(import('./leads/commands.ts'), import('./leads/texts.ts')),
  tasks: () => load(import('./tasks/commands.ts'), import('./tasks/texts.ts')),
  templates: () => load(import('./templates/commands.ts'), import('./templates/texts.ts')),
  forms: () => load(import('./forms/commands.ts'), import('./forms/texts.ts')),
  campaigns: () => load(import('./campaigns/commands.ts'), import('./campaigns/texts.ts')),
  automations: () => load(import('./automations/commands.ts'), import('./automations/texts.ts')),
  payments: () => load(import('./payments/commands.ts'), import('./payments/texts.ts')),
  quotations: () => load(import('./sales/commands.ts'), import('./sales/texts.ts')),
  invoices: () => load(import('./sales/commands.ts'), import('./sales/texts.ts')),
  reviews: () => load(import('./reviews/commands.ts'), import('./reviews/texts.ts')),
  bookings: () => load(import('./bookings/commands.ts'), import('./bookings/texts.ts')),
  social: () => load(import('./social/commands.ts'), import('./social/texts.ts')),
  notifications: () => load(import('./notifications/commands.ts'), import('./notifications/texts.ts')),
  settings: () => load(import('./settings/commands.ts'), import('./settings/texts.ts')),
  'auto-replies': () => load(import('./auto-replies/commands.ts'), import('./auto-replies/texts.ts')),
  bots: () => load(import('./bots/commands.ts'), import('./bots/texts.ts')),
  integrations: () => load(import('./integrations/commands.ts'), import('./integrations/texts.ts')),
  webhooks: () => load(import('./webhooks/commands.ts'), import('./webhooks/texts.ts')),
}

/** The pages with shortcuts, in the order of the menu. */
export const SHORTCUT_PAGES: readonly PageValue[] = PAGES.filter(({ id }) => id in TABLES)

/** Returns the single letters of a page, with their actions. */
export async function shortcutsOf(page: string): Promise<Shortcut[]> {
  const { tables, t } = await TABLES[page]!()
  const byKeys = new Map<string, Set<string>>()
  for (const { keys, title } of tables.flat())
    if (keys && isLetter(keys)) byKeys.set(keys, (byKeys.get(keys) ?? new Set()).add(t(title)))
  return [...byKeys].map(([keys, titles]) => ({ keys, titles: [...titles] }))
}
