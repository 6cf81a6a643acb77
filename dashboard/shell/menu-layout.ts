/** The member's menu: the pinned pages in their order, and the open groups. It is the same on every device. */
import { PAGES, type PageValue } from '../pages.ts'
import { memberPreference } from './member-preference.ts'

/** Ids of pages and groups. */
export type MenuLayout = { pinned: readonly string[]; open: readonly string[] }

const DEFAULT: MenuLayout = { pinned: ['inbox', 'contacts'], open: [] }
const menu = memberPreference<MenuLayout>('menu', DEFAULT)

export const useMenuLayout = menu.useValue
const changeMenu = menu.change

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
