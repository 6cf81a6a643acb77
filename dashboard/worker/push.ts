/** Shows push notifications, and does their actions. */
import { base, type NotificationEvent, type PushEvent, worker } from './scope.ts'
import { readTexts, type WorkerTexts } from './texts.ts'

/** The server's data, as `PushPayload` in `src/modules/platform/push/send.ts`. */
type Payload = {
  id: string
  workspaceId: string
  kind: string
  subjectId: string
  parentId: string | null
  title: string | null
  actor: string | null
  text: string | null
  replyTo: { to: string; phoneNumberId: string } | null
  unread: number
}

const fill = (text: string, { title, actor }: Payload, texts: WorkerTexts): string =>
  text.replace('{title}', title ?? '').replace('{by}', actor ?? texts.parley)

/** Returns the page of a notification, below the address of the pages. */
function pathOf(payload: Payload, texts: WorkerTexts | undefined): string {
  const { workspaceId, kind, subjectId, parentId } = payload
  if (kind === 'message') return `w/${workspaceId}/inbox/${subjectId}`
  const path = texts?.lines[kind]?.path
  if (path === undefined || (path.includes('{parent}') && parentId === null))
    return `w/${workspaceId}/notifications`
  return `w/${workspaceId}/${path.replace('{subject}', subjectId).replace('{parent}', parentId ?? '')}`
}

const tagOf = ({ kind, subjectId }: Payload): string => `${kind} ${subjectId}`

/** The unread chats on the app's icon, where the system shows a number there. */
async function setBadge(unread: number): Promise<void> {
  const badges = navigator as Navigator & { setAppBadge?: (count: number) => Promise<void> }
  await badges.setAppBadge?.(unread).catch(() => {})
}

/** Returns the open pages. */
const pages = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true })

function actionsOf({ kind }: Payload, texts: WorkerTexts | undefined) {
  if (kind !== 'message' || !texts) return []
  return [
    { action: 'reply', type: 'text', title: texts.reply, placeholder: texts.placeholder },
    { action: 'resolve', title: texts.resolve },
  ]
}

/** Shows a notification, unless a page is visible: it shows the change itself. */
async function show(payload: Payload): Promise<void> {
  await setBadge(payload.unread)
  if ((await pages()).some(({ visibilityState }) => visibilityState === 'visible')) return
  const texts = await readTexts()
  const isMessage = payload.kind === 'message'
  const line = texts?.lines[payload.kind]?.line
  const title =
    (!isMessage && line && texts ? fill(line, payload, texts) : payload.title) ?? texts?.customer ?? 'Parley'
  await worker.registration.showNotification(title, {
    body: payload.text ?? (isMessage ? texts?.message : undefined) ?? '',
    tag: tagOf(payload),
    renotify: true,
    icon: `${base}icons/app-192.png`,
    badge: `${base}icons/badge-96.png`,
    data: payload,
    actions: actionsOf(payload, texts),
  } as NotificationOptions)
}

/** Opens a page in an open tab of Parley, or in a new one. */
async function open(path: string): Promise<void> {
  const [tab] = (await pages()).filter(({ url }) => url.startsWith(`${base}w/`))
  if (!tab) {
    await worker.clients.openWindow(base + path)
    return
  }
  tab.postMessage({ open: path })
  await tab.focus()
}

/** Writes under the key of the notification: a repeated press changes nothing. */
async function write(
  { id, workspaceId }: Payload,
  { method, path, body }: { method: string; path: string; body: object },
): Promise<boolean> {
  try {
    const response = await fetch(`${base}api/v1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'parley-workspace': workspaceId,
        'idempotency-key': `push-${method.toLowerCase()}-${id}`,
      },
      body: JSON.stringify(body),
    })
    return response.ok
  } catch {
    return false
  }
}

/** Shows that an action failed; a click opens the chat. */
async function showFailure(payload: Payload, texts: WorkerTexts | undefined): Promise<void> {
  await worker.registration.showNotification(texts?.failed ?? payload.title ?? 'Parley', {
    body: texts?.failedText ?? '',
    tag: tagOf(payload),
    icon: `${base}icons/app-192.png`,
    data: payload,
  })
}

async function act(payload: Payload, action: string, reply: string | undefined): Promise<void> {
  const texts = await readTexts()
  const typed = reply?.trim()
  if (action === 'resolve') {
    const isDone = await write(payload, {
      method: 'PATCH',
      path: `conversations/${payload.subjectId}`,
      body: { state: 'resolved' },
    })
    if (!isDone) await showFailure(payload, texts)
  } else if (action === 'reply' && typed && payload.replyTo) {
    const isDone = await write(payload, {
      method: 'POST',
      path: 'send',
      body: { ...payload.replyTo, type: 'text', text: typed },
    })
    if (!isDone) await showFailure(payload, texts)
  } else await open(`${pathOf(payload, texts)}${action === 'reply' ? '?do=reply' : ''}`)
}

export function answerPush(event: PushEvent): void {
  const payload = event.data?.json() as Payload | undefined
  if (payload) event.waitUntil(show(payload))
}

export function answerClick(event: NotificationEvent): void {
  event.notification.close()
  event.waitUntil(act(event.notification.data as Payload, event.action, event.reply))
}
