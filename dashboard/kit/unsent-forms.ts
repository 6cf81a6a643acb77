/** Forms with unsent changes, which are lost when the page is left. */

const changedForms = new Set<object>()

/** Registers a changed form; returns a function that removes the registration. */
export function registerChangedForm(): () => void {
  const form = {}
  changedForms.add(form)
  return () => changedForms.delete(form)
}

/** Marks a dialog in which the user has typed. */
export const markTyped = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
  currentTarget.dataset.typed = ''
}

export const isAnythingTyped = (): boolean =>
  changedForms.size > 0 || document.querySelector('[role=dialog][data-typed]') !== null
