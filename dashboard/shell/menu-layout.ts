/**
 * Stores the member's menu on the server, so that it is the same on every device: the pinned pages in their
 * order, and the open groups. This browser keeps a copy, to draw the menu before the server answers.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { PAGES, type PageValue } from '../pages.ts'
import { notifyError } from './notify-error.ts'

/** Ids of pages and groups. */
export type MenuLayout = { pinned: readonly string[]; open: readonly string[] }

const DEFAULT: MenuLayout = { pinned: ['inbox', 'contacts'], open: [] }
const storedName = (workspace: string): string => `menu.${workspace}`

/** The number of changes in this page. */
let changes = 0

const storedLayout = (workspace: string): MenuLayout => ({
  ...DEFAULT,
  ...readStored<Partial<MenuLayout>>(storedName(workspace)),
})

const keyOf = (workspace: string) => ['preferences', 'one', 'menu', workspace]
const currentLayout = (workspace: string): MenuLayout =>
  queryClient.getQueryData<MenuLayout>(keyOf(workspace)) ?? storedLayout(workspace)

const layoutQuery = (workspace: string) =>
  queryOptions({
    queryKey: keyOf(workspace),
    queryFn: async (): Promise<MenuLayout> => {
      const before = changes
      const { preferences } = await callDashboard('GET /preferences', { workspace })
      // The answer is older than a change that was made while it was read.
      if (changes !== before) return currentLayout(workspace)
      const layout = { ...DEFAULT, ...(preferences.menu as Partial<MenuLayout> | undefined) }
      writeStored(storedName(workspace), layout)
      return layout
    },
    initialData: () => storedLayout(workspace),
    initialDataUpdatedAt: 0,
  })

export const useMenuLayout = (workspace: string): MenuLayout => useQuery(layoutQuery(workspace)).data

/** The layout to write next, by workspace; a later one replaces it while an earlier one is being written. */
const waiting = new Map<string, MenuLayout>()
const writing = new Set<string>()

async function writeWaiting(workspace: string): Promise<void> {
  if (writing.has(workspace)) return
  writing.add(workspace)
  try {
    for (let menu = waiting.get(workspace); menu; menu = waiting.get(workspace)) {
      waiting.delete(workspace)
      await callDashboard('PATCH /preferences', { workspace, body: { menu } })
    }
  } catch (error) {
    notifyError(error)
  } finally {
    writing.delete(workspace)
  }
}

/** Changes the menu immediately, and on the server. */
export function changeMenu(workspace: string, change: (before: MenuLayout) => Partial<MenuLayout>): void {
  const before = currentLayout(workspace)
  const layout = { ...before, ...change(before) }
  changes++
  queryClient.setQueryData(keyOf(workspace), layout)
  writeStored(storedName(workspace), layout)
  waiting.set(workspace, layout)
  void writeWaiting(workspace)
}

export const resetMenu = (workspace: string): void => changeMenu(workspace, () => DEFAULT)

const without = (ids: readonly string[], id: string): string[] => ids.filter((other) => other !== id)

export const togglePin = (workspace: string, id: string): void =>
  changeMenu(workspace, ({ pinned }) => ({
    pinned: pinned.includes(id) ? without(pinned, id) : [...pinned, id],
  }))

export const toggleGroup = (workspace: string, id: string): void =>
  changeMenu(workspace, ({ open }) => ({ open: open.includes(id) ? without(open, id) : [...open, id] }))

/** Pins a page in front of `before`, or moves it there; at the end without `before`. */
export const pinBefore = (workspace: string, id: string, before: string | undefined): void =>
  changeMenu(workspace, ({ pinned }) => {
    if (id === before) return {}
    const others = without(pinned, id)
    const place = before === undefined ? others.length : others.indexOf(before)
    return { pinned: others.toSpliced(place < 0 ? others.length : place, 0, id) }
  })

/** Returns the pinned pages that are in `pages`, in the member's order. */
export const pinnedAmong = (pages: readonly PageValue[], { pinned }: MenuLayout): PageValue[] =>
  pinned.flatMap((id) => pages.find((page) => page.id === id && !page.bell) ?? [])

/** Returns whether a page can be pinned. */
export const isInMenu = (id: string | undefined): id is string =>
  PAGES.some((page) => page.id === id && !page.bell)
