/** Lets callers wait until no call is in flight. */
export type IdleGate = {
  /** Resolves immediately if no call is in flight, otherwise when `settle` finds none. */
  wait(): Promise<void>
  /** Call this each time a call ends. */
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
