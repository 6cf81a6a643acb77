/** Places that callers take in order; a waiting caller can give up. */
export type Places = {
  /** Takes a place if one is free. */
  takeNow(): boolean
  /** Waits in line for a place. Returns false, without a place, if `signal` aborts first. */
  take(signal: AbortSignal): Promise<boolean>
  /** Takes a place even if none is free. */
  takeOver(): void
  /** Gives the place to the caller that has waited longest. */
  free(): void
  /** Returns how many callers wait. */
  waiting(): number
}

export function placesInTurn(max: number): Places {
  let takenCount = 0
  const line = new Set<(hasPlace: boolean) => void>()
  const takeNow = (): boolean => {
    if (takenCount >= max) return false
    takenCount++
    return true
  }
  return {
    takeNow,
    take: async (signal) => {
      if (takeNow()) return true
      if (signal.aborted) return false
      return new Promise((resolve) => {
        const leave = () => end(false)
        const end = (hasPlace: boolean) => {
          line.delete(end)
          signal.removeEventListener('abort', leave)
          resolve(hasPlace)
        }
        line.add(end)
        signal.addEventListener('abort', leave)
      })
    },
    takeOver: () => {
      takenCount++
    },
    free: () => {
      const [next] = takenCount > max ? [] : line
      if (next) next(true)
      else takenCount--
    },
    waiting: () => line.size,
  }
}

/** Returns a timer: `over` aborts after `limitMs` unless it is ended or renewed before. */
export function renewableTime(limitMs: number): { over: AbortSignal; renew(): void; end(): void } {
  const controller = new AbortController()
  const begin = () => setTimeout(() => controller.abort(), limitMs)
  let timer: NodeJS.Timeout | undefined = begin()
  return {
    over: controller.signal,
    renew: () => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = begin()
    },
    end: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Runs `work` with a signal that aborts when its time is over. */
export async function withinTime<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const time = renewableTime(limitMs)
  try {
    return await work(time.over)
  } finally {
    time.end()
  }
}

/** Returns the result of `work`; rejects with `fault()` if `signal` aborts first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, fault: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(fault())
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
