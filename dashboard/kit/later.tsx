/** Parts that are loaded when they are first needed, or ahead of that when the page has nothing else to do. */
import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: whatever a part takes
type Any = ComponentType<any>
type Load<Part extends Any> = () => Promise<Part>

const waiting: (() => Promise<unknown>)[] = []
let isIdle = false

const whenIdle = (work: () => void): void => {
  // One browser of those that are supported knows no idle time.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 2_000 })
  else setTimeout(work, 200)
}

function loadNext(): void {
  const load = waiting.shift()
  if (!load) return
  // What cannot be loaded now is asked for again when it is needed.
  void load()
    .catch(() => {})
    .then(() => whenIdle(loadNext))
}

/** From here on parts are loaded ahead, one after another. */
export function loadAhead(): void {
  if (isIdle) return
  isIdle = true
  whenIdle(loadNext)
}

/** Does `work` when parts are loaded ahead: it is one of them, or wants one. */
export function whenAhead(work: () => unknown): void {
  waiting.push(async () => work())
  if (isIdle && waiting.length === 1) whenIdle(loadNext)
}

const TRIES = 5
const FIRST_WAIT_MS = 500

/** Resolves while the browser says that it has a connection, or once it says so again. */
const online = (): Promise<unknown> =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener('online', resolve, { once: true }))

/**
 * Loads again what did not come: a tooltip that cannot be had on a line that broke off must not take its page with it. Gives
 * up after some seconds with a connection: then the server has it no more.
 */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await load()
    } catch (error) {
      if (attempt === TRIES) throw error
      await online()
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)))
    }
}

/** A part of its own chunk; `around` stands in its place until it is there. */
export function later<Part extends Any>(load: Load<Part>) {
  whenAhead(load)
  const Loaded = lazy(async () => ({ default: await untilLoaded(load) })) as Any
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, beside its import
  return function Later({ around, ...props }: ComponentProps<Part> & { around?: ReactNode }) {
    return (
      <Suspense fallback={around}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

/** The same for what opens: it is loaded when it opens first, and stays, so that it closes as it should. */
export function laterOpen<Part extends Any>(
  load: Load<Part>,
  isOpen: (props: ComponentProps<Part>) => boolean = ({ open }) => open === true,
) {
  const Loaded = later(load) as Any
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, beside its import
  return function LaterOpen(props: ComponentProps<Part>) {
    const wasOpen = useRef(false)
    wasOpen.current ||= isOpen(props)
    return wasOpen.current ? <Loaded {...props} /> : null
  }
}
