import { routes } from '../../../core/endpoint.ts'
import { getSearch } from './endpoints.ts'

export const search = {
  endpoints: routes({
    'GET /search': getSearch,
  }),
}
