import { routes } from '../../../core/endpoint.ts'
import { postMedia } from './endpoints.ts'
import { eraseFile, fetchMedia, sweepUpload } from './jobs.ts'

export const media = {
  endpoints: routes({
    'POST /media': postMedia,
  }),
  jobs: [fetchMedia, eraseFile, sweepUpload],
}
