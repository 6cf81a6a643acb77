/** Gathers the sentences of notifications for the service worker, in the language of the pages. */
import { KIND_NAMES, KINDS } from './notifications/parts/kinds.ts'
import { t as notifications } from './notifications/texts.ts'
import { t } from './shell/texts.ts'
import type { WorkerTexts } from './worker/texts.ts'

/** The worker fills the places. */
const SUBJECT = { subjectId: '{subject}', parentId: '{parent}' } as Parameters<
  (typeof KINDS)['mention']['path']
>[0]

export const pushTexts = (): WorkerTexts => ({
  parley: notifications('parley'),
  customer: t('announce.customer'),
  message: t('announce.message'),
  reply: notifications('push.reply'),
  placeholder: notifications('push.placeholder'),
  resolve: notifications('push.resolve'),
  failed: notifications('push.failed'),
  failedText: notifications('push.failed.text'),
  lines: Object.fromEntries(
    KIND_NAMES.map((kind) => [
      kind,
      {
        line: notifications(`line.${kind}`, { by: '{by}', title: '{title}' }),
        path: KINDS[kind].path(SUBJECT),
      },
    ]),
  ),
})
