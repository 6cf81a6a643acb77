/** Push notifications of this browser in a workspace. */
import { queryOptions } from '@tanstack/react-query'
import { siteBase } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { readStored, writeStored } from '../api/storage.ts'
import { hasWorker } from './installed-app.ts'

/** False in browsers without push: on an iPhone, only the installed app has it. */
export const supportsPush = (): boolean =>
  hasWorker() && 'PushManager' in globalThis && 'Notification' in globalThis

const storedName = (workspace: string): string => `push.${workspace}`
const keyOf = (workspace: string) => ['push', 'one', workspace]

/** Reads the browsers of the member, and the key to subscribe with. */
export const pushQuery = (workspace: string) =>
  queryOptions({ queryKey: keyOf(workspace), queryFn: () => callDashboard('GET /push', { workspace }) })

const subscriptionOf = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration(siteBase()))?.pushManager.getSubscription()) ?? null

/** Returns a key of a subscription as base64url. */
const keyIn = (subscription: PushSubscription, name: PushEncryptionKeyName): string =>
  btoa(String.fromCharCode(...new Uint8Array(subscription.getKey(name)!)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Subscribes the browser with the key of the installation, and reports it. */
async function subscribe(workspace: string): Promise<void> {
  const { key } = await queryClient.fetchQuery(pushQuery(workspace))
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // The browser has a subscription for another key.
    await (await subscriptionOf())?.unsubscribe()
    return pushManager.subscribe(options)
  })
  await callDashboard('POST /push', {
    workspace,
    body: {
      endpoint: subscription.endpoint,
      p256dh: keyIn(subscription, 'p256dh'),
      auth: keyIn(subscription, 'auth'),
    },
  })
}

const refresh = (workspace: string) => queryClient.invalidateQueries({ queryKey: keyOf(workspace) })

/** Turns on push notifications in this browser. Returns false if the browser does not allow them. */
export async function turnOnPush(workspace: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribe(workspace)
  writeStored(storedName(workspace), true)
  await refresh(workspace)
  return true
}

/** Ends the push notifications of one of the member's browsers. */
export async function turnOffPush(workspace: string, id: string, isCurrent: boolean): Promise<void> {
  await callDashboard('DELETE /push/{id}', { workspace, params: { id } })
  if (isCurrent) writeStored(storedName(workspace), undefined)
  await refresh(workspace)
}

/** Renews the subscription of this browser, whose session or keys may have changed. */
export async function renewPush(workspace: string): Promise<void> {
  if (readStored(storedName(workspace)) !== true || !supportsPush()) return
  if (Notification.permission === 'granted') await subscribe(workspace).catch(() => {})
}
