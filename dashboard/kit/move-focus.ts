/**
 * Moves the focus to the neighbor of the focused element among the matches of `selector`; to the first match
 * if none has the focus.
 */
export function moveFocus(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const index = found.findIndex((element) => element.contains(document.activeElement))
  const next = found[index < 0 ? 0 : Math.max(0, Math.min(found.length - 1, index + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

export type Direction = 'up' | 'down'

/**
 * Returns the focus to the pressed arrow of `row`, because the row was drawn again; to the other arrow if it
 * is disabled.
 */
export function focusArrow(row: ParentNode | null | undefined, direction: Direction): void {
  const find = (selector: string) => row?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
  ;(find(`[data-move=${direction}]`) ?? find('[data-move]'))?.focus()
}
