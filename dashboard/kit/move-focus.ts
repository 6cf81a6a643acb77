/**
 * Moves the focus to the neighbour of the focused element among the matches of `selector`; to the first match
 * if none has the focus.
 */
export function moveFocus(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const at = found.findIndex((one) => one.contains(document.activeElement))
  const next = found[at < 0 ? 0 : Math.max(0, Math.min(found.length - 1, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

export type Way = 'up' | 'down'

/**
 * Returns the focus to the pressed arrow of `row`, because the row was drawn again; to the other arrow if it
 * is disabled.
 */
export function focusArrow(row: ParentNode | null | undefined, way: Way): void {
  const find = (selector: string) => row?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
  ;(find(`[data-move=${way}]`) ?? find('[data-move]'))?.focus()
}
