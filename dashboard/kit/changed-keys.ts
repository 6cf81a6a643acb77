/**
 * Returns the current shortcut of a control: each control names its default, and members may change it. The
 * shell sets this function.
 */
let find = (keys: string): string => keys

export const setChangedKeys = (next: typeof find): void => {
  find = next
}

export const changedKeys = (keys: string): string => find(keys)
