/** What was typed into forms and is not sent yet: a page that is left loses it. */

const changedForms = new Set<object>()

/** Notes a form that has changed; answers what takes the note away again. */
export function noteChanged(): () => void {
  const form = {}
  changedForms.add(form)
  return () => changedForms.delete(form)
}

/** How dialogs are marked in which something was typed. */
export const markTyped = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
  currentTarget.dataset.typed = ''
}

export const isAnythingTyped = (): boolean =>
  changedForms.size > 0 || document.querySelector('[role=dialog][data-typed]') !== null
