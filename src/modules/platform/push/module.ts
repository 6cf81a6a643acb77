import { routes } from '../../../core/endpoint.ts'
import { deletePush, getPush, postPush } from './endpoints.ts'
import { sendPush } from './jobs.ts'

export const push = {
  dashboard: routes({
    'GET /push': getPush,
    'POST /push': postPush,
    'DELETE /push/:id': deletePush,
  }),
  jobs: [sendPush],
}
