/** What the keys of a control are now: they are written where it stands, and people may change them. The shell knows. */
let find = (keys: string): string => keys

export const setChangedKeys = (next: typeof find): void => {
  find = next
}

export const changedKeys = (keys: string): string => find(keys)
