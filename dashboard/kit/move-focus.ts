/** Moves the focus to the neighbour of what has it, among those that `selector` finds; to the first where none has. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const at = found.findIndex((one) => one.contains(document.activeElement))
  const next = found[at < 0 ? 0 : Math.max(0, Math.min(found.length - 1, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

export type Way = 'up' | 'down'

/** An arrow of `row` that was pressed has moved with it, or leads no further: it has the focus again, else its neighbour. */
export function focusArrow(row: ParentNode | null | undefined, way: Way): void {
  const find = (selector: string) => row?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
  ;(find(`[data-move=${way}]`) ?? find('[data-move]'))?.focus()
}
