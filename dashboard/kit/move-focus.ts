/** Moves the focus to the neighbour of what has it, among those that `selector` finds; to the first where none has. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const at = found.findIndex((one) => one.contains(document.activeElement))
  const next = found[at < 0 ? 0 : Math.max(0, Math.min(found.length - 1, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
