/** The parts of a service worker's scope that ours uses: the types of the DOM do not have them. */

type Waits = Event & { waitUntil(work: Promise<unknown>): void }

export type FetchEvent = Waits & { request: Request; respondWith(response: Promise<Response>): void }
export type MessageEventOfPage = Waits & { data: unknown; ports: readonly MessagePort[] }

export type PushEvent = Waits & { data: { json(): unknown } | null }
export type NotificationEvent = Waits & { notification: Notification; action: string; reply?: string }

export type PageClient = {
  url: string
  visibilityState: 'hidden' | 'visible'
  focus(): Promise<PageClient>
  postMessage(message: unknown): void
}

type Events = {
  install: Waits
  activate: Waits
  fetch: FetchEvent
  message: MessageEventOfPage
  push: PushEvent
  notificationclick: NotificationEvent
}

export type WorkerScope = {
  registration: ServiceWorkerRegistration
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<PageClient[]>
    openWindow(url: string): Promise<PageClient | null>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void
}

export const worker = globalThis as unknown as WorkerScope
/** The address of the pages, with a slash at its end. */
export const base: string = worker.registration?.scope ?? ''
