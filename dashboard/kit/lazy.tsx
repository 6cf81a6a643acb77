/** Loads parts of the pages when they are first needed, or earlier when the page is idle. */
import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: a part can have any props
type Any = ComponentType<any>
type Load<Part extends Any> = () => Promise<Part>

const waiting: (() => Promise<unknown>)[] = []
let isIdle = false

const runWhenIdle = (work: () => void): void => {
  // One supported browser has no `requestIdleCallback`.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 2_000 })
  else setTimeout(work, 200)
}

function loadNext(): void {
  const load = waiting.shift()
  if (!load) return
  // A part that can't be loaded now is requested again when it is needed.
  void load()
    .catch(() => {})
    .then(() => runWhenIdle(loadNext))
}

/** Starts loading parts ahead, in turn. */
export function prefetch(): void {
  if (isIdle) return
  isIdle = true
  runWhenIdle(loadNext)
}

/** Runs `work` when parts are loaded ahead: it is such a part, or needs one. */
export function onPrefetch(work: () => unknown): void {
  waiting.push(async () => work())
  if (isIdle && waiting.length === 1) runWhenIdle(loadNext)
}

const MAX_ATTEMPTS = 5
const FIRST_WAIT_MS = 500

/** Resolves when the browser is online. */
const waitUntilOnline = (): Promise<unknown> =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener('online', resolve, { once: true }))

/**
 * Retries a failed load, so that a part such as a tooltip does not break its page when the connection drops.
 * Gives up after some seconds online, because the server no longer has the part.
 */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await load()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
      await waitUntilOnline()
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)))
    }
}

/** Returns a part with its own chunk; `around` is shown until it is loaded. */
export function lazyComponent<Part extends Any>(load: Load<Part>) {
  onPrefetch(load)
  const Loaded = lazy(async () => ({ default: await untilLoaded(load) })) as Any
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, next to its import
  return function LazyComponent({ around, ...props }: ComponentProps<Part> & { around?: ReactNode }) {
    return (
      <Suspense fallback={around}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

/**
 * Returns such a part for popups: loaded when it first opens, and then kept so that its closing animation
 * runs.
 */
export function lazyPopup<Part extends Any>(
  load: Load<Part>,
  isOpen: (props: ComponentProps<Part>) => boolean = ({ open }) => open === true,
) {
  const Loaded = lazyComponent(load) as Any
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, next to its import
  return function LazyPopup(props: ComponentProps<Part>) {
    const wasOpen = useRef(false)
    wasOpen.current ||= isOpen(props)
    return wasOpen.current ? <Loaded {...props} /> : null
  }
}
