/** The service worker of the installed app: the page without a network, and push notifications. */
import { answerClick, answerPush } from './push.ts'
import { worker } from './scope.ts'
import { answerFetch, forgetAll, keep, keepLoaded, startNow } from './shell.ts'
import { textsAsResponse, type WorkerTexts } from './texts.ts'

startNow()
worker.addEventListener('fetch', answerFetch)
worker.addEventListener('push', answerPush)
worker.addEventListener('notificationclick', answerClick)
worker.addEventListener('message', (event) => {
  const { loaded, texts, forget } = event.data as { loaded?: string[]; texts?: WorkerTexts; forget?: true }
  if (loaded) event.waitUntil(keepLoaded(loaded))
  if (texts) event.waitUntil(keep(...textsAsResponse(texts)))
  if (forget) event.waitUntil(forgetAll().then(() => event.ports[0]?.postMessage({})))
})
