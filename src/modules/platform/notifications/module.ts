import { routes } from '../../../core/endpoint.ts'
import { getNotifications, postNotificationsRead } from './endpoints.ts'
import { notifyOfBrokenNumber } from './jobs.ts'
import { notificationRetentionSource } from './work/notification-retention-source.ts'

export const notifications = {
  dashboard: routes({
    'GET /notifications': getNotifications,
    'POST /notifications/read': postNotificationsRead,
  }),
  jobs: [notifyOfBrokenNumber],
  sources: {
    'notification-retention': notificationRetentionSource,
  },
}
