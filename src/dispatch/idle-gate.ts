/** Lets callers wait until nothing is under way. */
export type IdleGate = {
  /** Resolves at once when nothing is under way, else when `settle` finds that nothing is. */
  wait(): Promise<void>
  /** To be called whenever something ended. */
  settle(): void
}

export function idleGate(isIdle: () => boolean): IdleGate {
  const waiters: (() => void)[] = []
  return {
    wait: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    settle: () => {
      if (isIdle()) for (const resolve of waiters.splice(0)) resolve()
    },
  }
}
